import type { Findings } from './diagnostic.js'
import { lineOf, splitFrontmatter } from './frontmatter.js'
import { stripHidden } from './hidden-unicode.js'
import { readYaml } from './read-yaml.js'
import { type Reference, referencesOf } from './references.js'
import { noFields, type SkillFields, skillFields } from './skill-fields.js'

/** A SKILL.md as text that was understood as far as it can be. `body` is empty where there is no frontmatter. */
export type ParsedSkill = {
  readonly fields: SkillFields
  readonly body: string
  /** Files that the body links to. */
  readonly references: readonly Reference[]
}

/**
 * Reads the text of a SKILL.md, leniently: everything that people really write is taken, and each loss is a finding.
 * Looks at nothing but the text.
 */
export function parseSkill(source: string, directory: string, findings: Findings): ParsedSkill {
  const text = cleaned(source, findings)
  const parts = splitFrontmatter(text)
  if (parts.kind !== 'parts') {
    const detail = parts.kind === 'frontmatter-language' ? `"${parts.word}":` : undefined
    findings.add(parts.kind, detail, parts.line)
    return nothingRead(directory)
  }
  if (parts.late) findings.add('content-before-frontmatter', undefined, 1)
  const fields = readYaml(detached(parts.yaml), parts.yamlLine, findings)
  checkBody(parts.body, parts.bodyLine, findings)
  return {
    fields: fields === undefined ? noFields(directory) : skillFields(fields, directory, findings),
    body: parts.body,
    references: referencesOf(parts.body, parts.bodyLine),
  }
}

/** A copy: a piece of a text keeps all of it in memory, and names and descriptions stay long after the body. */
const detached = (text: string): string => Buffer.from(text).toString()

/** What stands there when nothing could be read. */
export const nothingRead = (directory: string): ParsedSkill => ({
  fields: noFields(directory),
  body: '',
  references: [],
})

function cleaned(source: string, findings: Findings): string {
  const marked = source.startsWith('\uFEFF')
  if (marked) findings.add('byte-order-mark', undefined, 1)
  const text = (marked ? source.slice(1) : source).replaceAll('\r\n', '\n')
  const stripped = stripHidden(text)
  if (stripped.count > 0)
    findings.add('hidden-unicode-stripped', `${stripped.count} of them.`, lineOf(text, stripped.at + 1))
  return stripped.text
}

const MAX_LINES = 500
const MAX_CHARACTERS = 20_000

function checkBody(body: string, firstLine: number, findings: Findings): void {
  if (body.trim() === '') {
    findings.add('empty-body', undefined, firstLine)
    return
  }
  if (hasMoreLines(body, MAX_LINES) || isLonger(body, MAX_CHARACTERS))
    findings.add('body-too-long', undefined, firstLine)
  if (!body.includes('!`')) return
  for (const match of body.matchAll(/^[ \t]*!`[^`\n]+`[ \t]*$/gm))
    findings.add('bang-command', undefined, firstLine + lineOf(body, match.index + 1) - 1)
}

/** A line break at the end begins no line. */
function hasMoreLines(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (++lines > limit) return true
  return false
}

/** In code points, counted only where the text is long enough for it to matter. */
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  let count = 0
  for (const _ of text) if (++count > limit) return true
  return false
}
