import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SchemaCompiler } from '@tenon/kernel'
import { runBridgeCase } from './bridge-case.js'
import type { CaseReport } from './case-report.js'
import { type CaseTools, loadCaseTools } from './case-tools.js'
import { runHostCase } from './host-case.js'
import type { McpCase } from './mcp-case.js'
import { runTapCase } from './tap-case.js'

type Runner = (scenario: McpCase, file: string, tools: CaseTools, compile: SchemaCompiler) => Promise<readonly string[]>

const RUNNERS: Readonly<Partial<Record<NonNullable<McpCase['kind']>, Runner>>> = {
  host: runHostCase,
  bridge: runBridgeCase,
  tap: runTapCase,
}

export type McpCasesOptions = {
  readonly compile: SchemaCompiler
  /** Where the scripted peer is, if the folder has none. */
  readonly defaultFolder: string
  /** Cases at once. Each starts processes of its own. */
  readonly parallel?: number
  /** Only cases whose name holds this. */
  readonly only?: string
}

/** Runs scenarios of the kind `mcp` against the code that ships, with real processes and sockets. */
export async function runMcpCases(folder: string, options: McpCasesOptions): Promise<CaseReport> {
  const tools = await loadCaseTools(folder, options.defaultFolder)
  const place = existsSync(join(folder, 'scenarios')) ? join(folder, 'scenarios') : folder
  const names = (await readdir(place)).filter((name) => name.endsWith('.json') && name.includes(options.only ?? ''))
  const queue = names.sort()
  const found = new Map<string, readonly string[]>()
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      found.set(name, await runOne(join(place, name), tools, options.compile))
  }
  await Promise.all(Array.from({ length: options.parallel ?? 3 }, work))
  const failures = [...found]
    .filter(([, differences]) => differences.length > 0)
    .map(([name, differences]) => ({ name, differences }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return { passed: found.size - failures.length, failures }
}

async function runOne(file: string, tools: CaseTools, compile: SchemaCompiler): Promise<readonly string[]> {
  let scenario: McpCase
  try {
    scenario = JSON.parse(await readFile(file, 'utf8')) as McpCase
  } catch (error) {
    return [`cannot be read: ${String(error)}`]
  }
  const runner = RUNNERS[scenario.kind ?? 'host']
  return runner === undefined ? [`no runner for the kind ${scenario.kind}`] : runner(scenario, file, tools, compile)
}
