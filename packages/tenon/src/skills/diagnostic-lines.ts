import { join } from 'node:path'
import { DIAGNOSTICS, type Diagnostic, type Skill } from '@tenon/skills'
import { safeText } from '../cli/printer/safe-text.js'

/** `error` keeps a skill from being used, `standard` breaks the open standard, `advice` is a hint. */
export function severityOf({ kind }: Diagnostic): 'error' | 'standard' | 'advice' {
  const { blocks, strict } = DIAGNOSTICS[kind]
  return blocks ? 'error' : strict ? 'standard' : 'advice'
}

/** One line for each finding, with the place that an editor can jump to. */
export function diagnosticLines(skill: Skill): readonly string[] {
  return skill.diagnostics.map((one) => {
    const place = `${join(skill.folder, one.file)}${one.line === undefined ? '' : `:${one.line}`}`
    return safeText(`${place}: ${severityOf(one)} ${one.kind}: ${one.message}`)
  })
}
