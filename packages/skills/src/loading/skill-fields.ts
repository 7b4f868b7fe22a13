import { readAllowedTools } from './allowed-tools.js'
import type { Findings } from './diagnostic.js'
import type { Field, Fields } from './fields.js'
import { stripHidden } from './hidden-unicode.js'
import type { Invocation, LoadedSkill } from './skill.js'

const STANDARD = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'])
/** Keys of other hosts that `invocationOf` reads. */
const READ_HERE = new Set(['argument-hint', 'agent', 'context', 'disable-model-invocation', 'model', 'user-invocable'])
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const UNSAFE = /[/\\\p{Cc}]/u
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

export type SkillFields = Pick<
  LoadedSkill,
  'name' | 'description' | 'license' | 'compatibility' | 'metadata' | 'allowedTools' | 'extra' | 'invocation'
>

/** The keys of a frontmatter as a skill has them, checked against the open standard. Nothing is thrown away. */
export function skillFields(fields: Fields, directory: string, findings: Findings): SkillFields {
  const tools = readAllowedTools(fields.get('allowed-tools')?.value)
  if (tools.odd) findings.add('allowed-tools-form', undefined, fields.get('allowed-tools')?.line)
  const extra = new Map<string, unknown>()
  for (const [key, { value, line }] of fields) {
    if (STANDARD.has(key)) continue
    extra.set(key, value)
    findings.add('unknown-key', READ_HERE.has(key) ? `${key}, which Tenon acts on:` : `${key}:`, line)
  }
  return {
    name: nameOf(fields.get('name'), directory, findings),
    description: descriptionOf(fields.get('description'), findings),
    license: textOf(fields.get('license')),
    compatibility: compatibilityOf(fields.get('compatibility'), findings),
    metadata: metadataOf(fields.get('metadata'), findings),
    allowedTools: tools.rules,
    extra,
    invocation: invocationOf(extra),
  }
}

/** What stands there when nothing could be read. */
export const noFields = (directory: string): SkillFields => ({
  name: directory,
  description: undefined,
  license: undefined,
  compatibility: undefined,
  metadata: undefined,
  allowedTools: [],
  extra: new Map(),
  invocation: invocationOf(new Map()),
})

function nameOf(field: Field | undefined, directory: string, findings: Findings): string {
  const written = requiredText(field, 'name', findings)
  if (written === undefined) return directory
  if (written === '') {
    findings.add('name-missing', undefined, field?.line)
    return directory
  }
  if (UNSAFE.test(written) || written === '.' || written === '..') {
    findings.add('name-unsafe', undefined, field?.line)
    return directory
  }
  if (!NAME.test(written)) findings.add('name-invalid', `"${shortened(written)}":`, field?.line)
  if (lengthOf(written) > MAX_NAME) findings.add('name-too-long', `It has ${lengthOf(written)}.`, field?.line)
  if (written.normalize('NFC') !== directory.normalize('NFC'))
    findings.add('name-differs-from-directory', `"${shortened(written)}" in the folder "${directory}".`, field?.line)
  return written
}

function descriptionOf(field: Field | undefined, findings: Findings): string | undefined {
  const written = requiredText(field, 'description', findings)
  if (written === undefined) return undefined
  if (written === '') {
    findings.add('description-missing', undefined, field?.line)
    return undefined
  }
  if (lengthOf(written) > MAX_DESCRIPTION)
    findings.add('description-too-long', `It has ${lengthOf(written)}; all of it was kept.`, field?.line)
  return written
}

/** Trimmed text, empty where the key is missing; undefined where it holds something else, which was reported. */
function requiredText(field: Field | undefined, key: 'name' | 'description', findings: Findings): string | undefined {
  const value = field?.value
  if (field === undefined || value === null || value === undefined) return ''
  if (typeof value === 'string') return visible(value, key, field.line, findings)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    findings.add('value-coerced', `${key}:`, field.line)
    return field.source ?? String(value)
  }
  findings.add('value-not-text', `${key}:`, field.line)
  return undefined
}

/** An escape in quotes can bring hidden characters that were not in the file. */
function visible(value: string, key: string, line: number, findings: Findings): string {
  const stripped = stripHidden(value)
  if (stripped.count > 0) findings.add('hidden-unicode-stripped', `${key}: ${stripped.count}.`, line)
  return stripped.text.trim()
}

function textOf(field: Field | undefined): string | undefined {
  const value = field?.value
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined
}

function compatibilityOf(field: Field | undefined, findings: Findings): string | undefined {
  if (field === undefined) return undefined
  const text = typeof field.value === 'string' ? field.value.trim() : ''
  if (text === '' || lengthOf(text) > MAX_COMPATIBILITY) findings.add('compatibility-invalid', undefined, field.line)
  return text === '' ? undefined : text
}

function metadataOf(field: Field | undefined, findings: Findings): unknown {
  if (field === undefined) return undefined
  const { value } = field
  const strings =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => typeof item === 'string')
  if (!strings) findings.add('metadata-not-strings', undefined, field.line)
  return value
}

function invocationOf(extra: ReadonlyMap<string, unknown>): Invocation {
  const hint = extra.get('argument-hint')
  const agent = extra.get('agent')
  const model = extra.get('model')
  return {
    byModel: !saysYes(extra.get('disable-model-invocation')),
    byUser: !saysNo(extra.get('user-invocable')),
    fork: extra.get('context') === 'fork',
    ...(typeof hint === 'string' ? { argumentHint: hint } : {}),
    ...(typeof agent === 'string' ? { agent } : {}),
    ...(typeof model === 'string' && model !== 'inherit' ? { model } : {}),
  }
}

/** YAML 1.2 knows true and false only; people also write the words of 1.1. */
const saysYes = (value: unknown): boolean => value === true || /^(true|yes|on)$/i.test(String(value))
const saysNo = (value: unknown): boolean => value === false || /^(false|no|off)$/i.test(String(value))

/** In code points: a sign outside the basic plane is one character. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
