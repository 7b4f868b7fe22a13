import { join } from 'node:path'
import { repoRoot } from './run-node.mjs'

/**
 * @typedef {{ passed: number, failures: readonly { name: string, differences: readonly string[] }[] }} CaseReport
 * @typedef {(folder: string) => Promise<CaseReport>} CaseRunner
 */

/**
 * How the cases of a kind are run, always by the code that ships. Imported when asked for: only then must it be built.
 *
 * @type {Readonly<Record<string, CaseRunner>>}
 */
export const CASE_KINDS = {
  wire: async (folder) => {
    const { runWireCases } = await import('@tenon/models/cases')
    return runWireCases(folder)
  },
  calls: async (folder) => {
    const { runCallsCases } = await import('@tenon/models/cases')
    const { ajvCompiler } = await import('../packages/tenon/dist/schema/ajv-compiler.js')
    return runCallsCases(folder, ajvCompiler)
  },
  skills: async (folder) => {
    const { runSkillsCases } = await import('@tenon/skills/cases')
    return runSkillsCases(folder)
  },
  mcp: async (folder) => {
    const { runMcpCases } = await import('@tenon/mcp/cases')
    const { ajvCompiler } = await import('../packages/tenon/dist/schema/ajv-compiler.js')
    return runMcpCases(folder, { compile: ajvCompiler, defaultFolder: defaultCaseFolder('mcp') })
  },
  a2a: async (folder) => {
    const { runA2aCases } = await import('@tenon/a2a/cases')
    const { ajvCompiler } = await import('../packages/tenon/dist/schema/ajv-compiler.js')
    return runA2aCases(folder, { compile: ajvCompiler, defaultFolder: defaultCaseFolder('a2a') })
  },
}

/** Where the cases of a kind lie, if nobody says otherwise: beside the checkout. @param {string} kind */
export function defaultCaseFolder(kind) {
  return join(repoRoot, '..', 'shared', 'cases', kind)
}
