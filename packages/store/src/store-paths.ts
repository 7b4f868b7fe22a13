import { join } from 'node:path'

/** Where a store is: in a folder of its own, or in a file with its artifacts beside it. */
export type StoreLocation = { readonly dir: string } | { readonly file: string }

export type StorePaths = { readonly file: string; readonly artifacts: string }

export function storePaths(location: StoreLocation): StorePaths {
  if ('dir' in location) return { file: join(location.dir, 'tenon.db'), artifacts: join(location.dir, 'artifacts') }
  return { file: location.file, artifacts: `${location.file}-artifacts` }
}
