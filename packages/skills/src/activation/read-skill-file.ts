import { extname, posix } from 'node:path'
import {
  type Artifacts,
  type CallContext,
  type HandResult,
  isJsonObject,
  type JsonObject,
  type Provenance,
  type SchemaCompiler,
  type Tool,
  text,
} from '@tenon/kernel'
import { SkillIndex } from '../catalogue/skill-index.js'
import type { SkillSet } from '../discovery/skill-library.js'
import { SkillsError } from '../errors.js'
import type { Skill } from '../loading/skill.js'
import { readInside } from '../loading/skill-files.js'

export type SkillFileOptions = {
  readonly skills: () => SkillSet
  readonly artifacts: Artifacts
  readonly compile: SchemaCompiler
}

const MAX_BYTES = 32 * 1024 * 1024
const MAX_LINES = 2_000
const MAX_CHARACTERS = 28_000

/** Level three of a skill: its files, when its text refers to them. Nothing outside of the skill is ever read. */
export function readSkillFileTool(options: SkillFileOptions): Tool {
  return Object.freeze({
    name: 'read_skill_file',
    title: 'Read a file of a skill',
    description:
      'Reads a file of a skill by its path in the skill. Text comes by lines; what is no text is kept as an artifact.',
    input: options.compile({
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'The name of the skill.' },
        path: { type: 'string', description: 'The file, relative to the skill folder, such as references/rules.md.' },
        from: { type: 'integer', minimum: 1, description: 'First line; 1 if absent.' },
        lines: { type: 'integer', minimum: 1, maximum: MAX_LINES, description: `How many; ${MAX_LINES} if absent.` },
      },
      required: ['skill', 'path'],
      additionalProperties: false,
    }),
    effect: 'pure',
    origin: { kind: 'skill', name: 'skills' },
    run: (args: JsonObject, context: CallContext) => read(options, args, context),
  } satisfies Tool)
}

async function read(options: SkillFileOptions, args: JsonObject, context: CallContext): Promise<HandResult> {
  const skill = skillOf(options.skills(), String(args.skill))
  const path = fileOf(skill, String(args.path))
  const file = readInside(skill.folder, path, MAX_BYTES)
  if (file.kind !== 'read') throw unreadable(skill, path, file.kind)
  const provenance: Provenance = { source: 'skill', name: skill.name, trust: 'untrusted' }
  if (isText(file.bytes)) return page(file.bytes.toString('utf8'), args, provenance)
  const mediaType = MEDIA_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
  const meta = await options.artifacts.put(file.bytes, { name: posix.basename(path), mediaType, runId: context.runId })
  return {
    kind: 'result',
    content: [
      text(`${path} is no text (${mediaType}, ${meta.bytes} bytes); it is kept as ${meta.artifactId}.`),
      { kind: 'artifact', ...meta },
    ],
    value: { artifactId: meta.artifactId, mediaType, bytes: meta.bytes },
    provenance,
  }
}

function skillOf({ byName }: SkillSet, name: string): Skill {
  const skill = byName.get(name)
  if (skill !== undefined) return skill
  const near = new SkillIndex([...byName.values()]).search(name, 3).map((hit) => hit.skill.name)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  throw new SkillsError('skill-unknown', `There is no skill ${JSON.stringify(name.slice(0, 80))}.${hint}`)
}

/** Only what was listed when the skill was loaded: a path is looked up and never joined. */
function fileOf(skill: Skill, path: string): string {
  const wanted = posix.normalize(path.replaceAll('\\', '/'))
  if (wanted === skill.file || skill.resources.includes(wanted)) return wanted
  const base = posix.basename(wanted).toLowerCase()
  const near = skill.resources.filter((one) => posix.basename(one).toLowerCase() === base).slice(0, 3)
  const shown = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It has: ${listed(skill)}.`
  throw new SkillsError(
    'skill-file-unknown',
    `${skill.name} has no file ${JSON.stringify(path.slice(0, 200))}. ${shown}`,
  )
}

const listed = ({ file, resources }: Skill): string => {
  const shown = [file, ...resources].slice(0, 20).join(', ')
  return resources.length > 19 ? `${shown} and more` : shown
}

const unreadable = (skill: Skill, path: string, kind: string): SkillsError =>
  new SkillsError(
    'skill-file-unknown',
    kind === 'too-large'
      ? `${path} of ${skill.name} is too large to be read.`
      : `${path} of ${skill.name} cannot be read any more.`,
  )

const isText = (bytes: Buffer): boolean => !bytes.subarray(0, 8_192).includes(0)

function page(whole: string, args: JsonObject, provenance: Provenance): HandResult {
  const lines = whole.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const from = numberOf(args, 'from') ?? 1
  const count = Math.min(numberOf(args, 'lines') ?? MAX_LINES, MAX_LINES)
  const shown: string[] = []
  let size = 0
  for (const line of lines.slice(from - 1, from - 1 + count)) {
    size += line.length + 1
    if (size > MAX_CHARACTERS && shown.length > 0) break
    shown.push(line.slice(0, MAX_CHARACTERS))
  }
  const next = from + shown.length
  const rest = next <= lines.length ? `\n[lines ${from} to ${next - 1} of ${lines.length}; from ${next} goes on]` : ''
  return { kind: 'result', content: [text(`${shown.join('\n')}${rest}`)], provenance }
}

function numberOf(args: JsonObject, key: string): number | undefined {
  const value = isJsonObject(args) ? args[key] : undefined
  return typeof value === 'number' ? value : undefined
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.woff2': 'font/woff2',
  '.zip': 'application/zip',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}
