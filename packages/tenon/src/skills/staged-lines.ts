import { requirementsOf, type StagedSkill } from '@tenon/skills'
import { safeText } from '../cli/printer/safe-text.js'
import { diagnosticLines } from './diagnostic-lines.js'

/** What a person should know before a skill is installed: what it is, holds and asks for, and what caught the eye. */
export function stagedLines({ skill, source, ref, digest, scan, replaces }: StagedSkill): readonly string[] {
  const scripts = skill.resources.filter((path) => path.startsWith('scripts/'))
  const needs = requirementsOf(skill).map(({ kind, name }) => `${kind}:${name}`)
  const lines = [
    `${skill.name}: ${(skill.description ?? '').replace(/\s+/g, ' ').slice(0, 200)}`,
    `  from      ${source}${ref === undefined ? '' : ` (${ref})`}`,
    `  digest    ${digest}`,
    `  files     ${skill.resources.length + 1}, about ${skill.bodyTokens} tokens of text`,
    ...(scripts.length === 0 ? [] : [`  scripts   ${scripts.join(', ')}`]),
    ...(skill.allowedTools.length === 0 ? [] : [`  asks for  ${skill.allowedTools.join(' ')}`]),
    ...(needs.length === 0 ? [] : [`  needs     ${needs.join(' ')}`]),
    ...(replaces === undefined
      ? []
      : [`  replaces  ${replaces.digest === digest ? 'the same version' : 'another version'}`]),
    ...scan.map(({ code, file, line, told, excerpt }) => `  ! ${code} ${file}:${line}: ${told} ${excerpt}`),
    scan.length === 0
      ? '  The scan found nothing. That proves nothing: the sandbox is the boundary.'
      : '  A finding is a signal, not a verdict. Look at these lines.',
  ]
  const strict = { ...skill, modelVisible: true }
  return [...lines.map(safeText), ...diagnosticLines(strict).map((line) => `  ${line}`)]
}
