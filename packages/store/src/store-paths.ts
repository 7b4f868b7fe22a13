import { join } from 'node:path'
import { StoreError } from './errors.js'

/** Where a store is: in a folder of its own, or in a file with its artifacts beside it. */
export type StoreLocation = { readonly dir: string } | { readonly file: string }

export type StorePaths = { readonly file: string; readonly artifacts: string }

/** @throws StoreError `store-failed` where no place is named */
export function storePaths(location: StoreLocation): StorePaths {
  const { dir, file } = Object(location) as { readonly dir?: unknown; readonly file?: unknown }
  if (typeof dir === 'string' && dir !== '') return { file: join(dir, 'tenon.db'), artifacts: join(dir, 'artifacts') }
  if (typeof file === 'string' && file !== '') return { file, artifacts: `${file}-artifacts` }
  throw new StoreError('store-failed', 'No place is named for the store; name a folder: openStore({ dir: ".tenon" }).')
}
