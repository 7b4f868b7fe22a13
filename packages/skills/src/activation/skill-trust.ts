import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SkillsError } from '../errors.js'

/** Which versions of skills a person trusts, by the digest of all of their files. */
export interface SkillTrust {
  isTrusted(digest: string): boolean
  /** What is wrong with the record itself; nothing is trusted then. */
  problem(): string | undefined
  /** What was trusted under this name last. */
  trustedBefore(name: string): string | undefined
  /** @throws SkillsError `skill-trust-unreadable` */
  trust(digest: string, name: string): void
  /**
   * Takes back everything that was trusted under this name or as this digest. False where there was nothing.
   * @throws SkillsError `skill-trust-unreadable`
   */
  distrust(name: string, digest?: string): boolean
}

type Trusted = { readonly name: string; readonly at: string }

/** Kept in a file of the user's. A file that cannot be read trusts nothing and is not overwritten. */
export function trustFile(path: string): SkillTrust {
  const read = (): Record<string, Trusted> | undefined => {
    if (!existsSync(path)) return {}
    try {
      const { trusted } = JSON.parse(readFileSync(path, 'utf8')) as { trusted?: Record<string, Trusted> }
      return typeof trusted === 'object' && trusted !== null ? trusted : undefined
    } catch {
      return undefined
    }
  }
  const told = `${path} cannot be read, so no skill is trusted: mend it, or move it away and trust what you use anew.`
  const readable = (): Record<string, Trusted> => {
    const trusted = read()
    if (trusted === undefined) throw new SkillsError('skill-trust-unreadable', told)
    return trusted
  }
  const write = (trusted: Record<string, Trusted>): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, `${JSON.stringify({ version: 1, trusted }, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  return {
    problem: () => (read() === undefined ? told : undefined),
    isTrusted: (digest) => Object.hasOwn(read() ?? {}, digest),
    trustedBefore: (name) => Object.entries(read() ?? {}).findLast(([, one]) => one.name === name)?.[0],
    trust(digest, name) {
      // The last one of a name is the one that was trusted last, also where somebody went back to it.
      const { [digest]: _, ...others } = readable()
      write({ ...others, [digest]: { name, at: new Date().toISOString() } })
    },
    distrust(name, digest) {
      const trusted = readable()
      const kept = Object.entries(trusted).filter(([key, one]) => one.name !== name && key !== digest)
      const found = kept.length < Object.keys(trusted).length
      if (found) write(Object.fromEntries(kept))
      return found
    },
  }
}
