import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A launcher of this package, found by the package's entry: so from the sources and from a bundle too. */
export const launcherPath = (file: string): string =>
  join(dirname(createRequire(import.meta.url).resolve('@tenon/skills')), 'bin', file)
