import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Which versions of skills a person trusts, by the digest of all of their files. */
export interface SkillTrust {
  isTrusted(digest: string): boolean
  /** What was trusted under this name before, where that was another version. */
  trustedBefore(name: string): string | undefined
  trust(digest: string, name: string): void
  /** Takes back everything that was trusted under this name. False where there was nothing. */
  distrust(name: string): boolean
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
  const write = (trusted: Record<string, Trusted>): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, `${JSON.stringify({ version: 1, trusted }, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  return {
    isTrusted: (digest) => Object.hasOwn(read() ?? {}, digest),
    trustedBefore: (name) => Object.entries(read() ?? {}).findLast(([, one]) => one.name === name)?.[0],
    trust(digest, name) {
      const trusted = read()
      if (trusted === undefined) throw new TypeError(`${path} cannot be read; repair or remove it.`)
      write({ ...trusted, [digest]: { name, at: new Date().toISOString() } })
    },
    distrust(name) {
      const trusted = read() ?? {}
      const kept = Object.entries(trusted).filter(([, one]) => one.name !== name)
      const found = kept.length < Object.keys(trusted).length
      if (found) write(Object.fromEntries(kept))
      return found
    },
  }
}
