import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTenonError } from '@tenon/kernel'
import { stageSkill } from '../install/install-skill.js'
import { LOCK_FILE } from '../install/lock-file.js'
import { byteOrder } from '../loading/byte-order.js'

/** What an archive case expects. */
export type ArchiveCase = {
  readonly archive: string
  readonly installs?: boolean
  readonly reason?: string
  readonly alsoAccept?: readonly string[]
  readonly name?: string
  readonly files?: readonly string[]
}

/** Installs the archive into an empty skills folder beside it and compares what came of it. */
export async function archiveDifferences(archive: string, one: ArchiveCase): Promise<readonly string[]> {
  const into = join(dirname(archive), 'installed', 'skills')
  try {
    const staged = await stageSkill(archive, { into, cwd: dirname(archive) })
    staged.commit()
    if (one.installs === false) return [`it was installed, expected ${one.reason}`]
    const files = filesIn(join(into, staged.directory))
    return [
      ...different('name', staged.directory, one.name),
      ...different('files', files, one.files && [...one.files].sort(byteOrder)),
      ...leftOver(into, [staged.directory, LOCK_FILE]),
    ]
  } catch (error) {
    const reason = reasonOf(error)
    if (one.installs !== false) return [`it was refused: ${reason} (${String(error)})`]
    const accepted = [one.reason, ...(one.alsoAccept ?? [])]
    return [
      ...(accepted.includes(reason)
        ? []
        : [`reason is ${reason}, expected ${accepted.join(' or ')} (${String(error)})`]),
      ...leftOver(into, []),
    ]
  }
}

const reasonOf = (error: unknown): string | undefined =>
  isTenonError(error) ? (error.detail as { reason?: string } | undefined)?.reason : undefined

/** A refusal leaves the skills folder, and the folder above it, as they were. */
function leftOver(into: string, expected: readonly string[]): readonly string[] {
  const inside = existsSync(into) ? readdirSync(into).filter((name) => !expected.includes(name)) : []
  const beside = readdirSync(dirname(into)).filter((name) => name !== 'skills')
  return [...inside, ...beside].map((name) => `${name} was left behind`)
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort(byteOrder)

function different(what: string, came: unknown, wanted: unknown): readonly string[] {
  if (wanted === undefined || JSON.stringify(came) === JSON.stringify(wanted)) return []
  return [`${what} is ${JSON.stringify(came)}, expected ${JSON.stringify(wanted)}`]
}
