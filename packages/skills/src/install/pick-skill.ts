import { byteOrder } from '../loading/byte-order.js'
import { skillFileOf } from '../loading/skill-files.js'
import { type ArchiveEntry, ArchiveRefusal } from './archive-entry.js'
import { partsOf } from './check-entries.js'

/** One skill among the entries of a source. */
export type PickedSkill = {
  /** Its entries, named from its folder. */
  readonly entries: readonly ArchiveEntry[]
  /** The name of its folder; undefined where it stands at the top. */
  readonly directory: string | undefined
}

/** Other systems leave these beside what was meant. */
const LITTER = new Set(['__MACOSX', '.DS_Store'])

/** The one skill of an archive: at its top, or in its one folder. @throws ArchiveRefusal `no-skill-file` */
export function pickOnly(entries: readonly ArchiveEntry[]): PickedSkill {
  const wanted = entries.filter(({ name }) => !LITTER.has(partsOf(name)[0] ?? ''))
  const files = wanted.filter(({ kind }) => kind === 'file').map(({ name }) => partsOf(name))
  if (hasSkillFile(files, '')) return { entries: wanted, directory: undefined }
  const [folder, ...others] = new Set(files.filter((parts) => parts.length > 1).map(([first]) => first ?? ''))
  if (folder === undefined || others.length > 0 || !hasSkillFile(files, folder))
    throw new ArchiveRefusal('no-skill-file', 'There is no SKILL.md at its top or in its one folder.')
  return below(wanted, folder)
}

/**
 * One skill of a repository or a package, which may hold several: by the name of its folder, or the only one.
 * @throws ArchiveRefusal `no-skill-file` that names the ones there are
 */
export function pickNamed(entries: readonly ArchiveEntry[], wanted: string | undefined): PickedSkill {
  const files = entries.filter(({ kind }) => kind === 'file').map(({ name }) => partsOf(name))
  const folders = new Set(files.map((parts) => parts.slice(0, -1).join('/')))
  const skills = outermost([...folders].filter((folder) => hasSkillFile(files, folder)))
  const fitting = skills.filter((folder) => wanted === undefined || folder === wanted || baseOf(folder) === wanted)
  const [folder, ...others] = fitting
  if (folder !== undefined && others.length === 0)
    return folder === '' ? { entries, directory: undefined } : below(entries, folder)
  if (skills.length === 0) throw new ArchiveRefusal('no-skill-file', 'There is no SKILL.md in it.')
  const names = skills.slice(0, 20).join(', ')
  const more = skills.length > 20 ? `, and ${skills.length - 20} more` : ''
  throw new ArchiveRefusal('no-skill-file', `Say which one with --skill: it holds ${names}${more}.`)
}

const baseOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1)

/** A skill inside a skill belongs to the outer one. */
function outermost(folders: readonly string[]): readonly string[] {
  if (folders.includes('')) return ['']
  return folders
    .filter((folder) => !folders.some((other) => other !== folder && folder.startsWith(`${other}/`)))
    .sort(byteOrder)
}

function hasSkillFile(files: readonly (readonly string[])[], folder: string): boolean {
  const names = files.filter((parts) => parts.slice(0, -1).join('/') === folder).map((parts) => parts.at(-1) ?? '')
  return skillFileOf(names) !== undefined
}

function below(entries: readonly ArchiveEntry[], folder: string): PickedSkill {
  const inside = entries.flatMap((entry) => {
    const name = partsOf(entry.name).join('/')
    return name.startsWith(`${folder}/`) ? [{ ...entry, name: name.slice(folder.length + 1) }] : []
  })
  return { entries: inside, directory: baseOf(folder) }
}
