import type { LoadedSkill } from '../loading/skill.js'

/** A skill as it enters a view, with everything that is needed to work by it. */
export type SkillText = {
  readonly skill: LoadedSkill
  readonly body: string
  /** Of all files; undefined where there is too much to look at. */
  readonly digest: string | undefined
  /** What was written behind the name. */
  readonly args: string | undefined
  /** One line for the model about what its tools may do; empty if nothing is to be said. */
  readonly note?: string
}

/** More characters than this are paged by read_skill_file. */
const MAX_BODY = 100_000
const MAX_RESOURCES = 60

/**
 * Level two: body, base folder, files and digest, marked off so that nothing in the body can end the mark. Commands in
 * the body are text; the words that other hosts fill in are filled in.
 */
export function skillText({ skill, body, digest, args, note }: SkillText): string {
  const filled = fillIn(body.trim(), skill.folder, args)
  const shown = filled.length > MAX_BODY ? cut(filled, skill) : filled
  const passed = args !== undefined && args !== '' && !ARGUMENTS.test(body) ? `\n\nArguments: ${args}` : ''
  return [
    `<skill_content name="${attribute(skill.name)}"${digest === undefined ? '' : ` digest="${digest}"`}>`,
    `Base folder: ${skill.folder}`,
    'Paths in this text are relative to it. Read its files with read_skill_file; do not look for them in the workspace.',
    ...(note === undefined || note === '' ? [] : [note]),
    '',
    `${shown}${passed}`.replaceAll(/<\/(?=skill_)/g, '&lt;/'),
    '',
    ...resourceLines(skill),
    '</skill_content>',
  ].join('\n')
}

const ARGUMENTS = /\$ARGUMENTS\b|\$\{ARGUMENTS\}|\$[1-9]\b/

/** `$ARGUMENTS`, `$1` and the base folder under the names that clients gave it. */
function fillIn(body: string, folder: string, args: string | undefined): string {
  const words = args?.split(/\s+/).filter((word) => word !== '') ?? []
  const placed = body.replaceAll('{baseDir}', folder).replaceAll(/\$\{(?:CLAUDE_)?SKILL_DIR\}/g, () => folder)
  if (args === undefined) return placed
  return placed
    .replaceAll(/\$ARGUMENTS\b|\$\{ARGUMENTS\}/g, () => args)
    .replaceAll(/\$([1-9])\b/g, (_, place: string) => words[Number(place) - 1] ?? '')
}

function cut(body: string, { name, file }: LoadedSkill): string {
  const head = body.slice(0, MAX_BODY).replace(/[\ud800-\udbff]$/, '')
  const line = head.split('\n').length
  return `${head}\n[… ${body.length - head.length} characters more. read_skill_file with skill ${JSON.stringify(name)}, path ${JSON.stringify(file)} and from about ${line} goes on.]`
}

function resourceLines({ resources }: LoadedSkill): readonly string[] {
  if (resources.length === 0) return []
  const shown = resources.slice(0, MAX_RESOURCES).map((path) => `  ${path.replaceAll('<', '&lt;')}`)
  const more = resources.length - shown.length
  return ['<skill_files>', ...shown, ...(more > 0 ? [`  (and ${more} more)`] : []), '</skill_files>']
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
