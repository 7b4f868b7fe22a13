import { resolve } from './path.js'

/** What scripts use of `node:url`. */
export const fileURLToPath = (address: unknown): string => decodeURIComponent(String(address).replace(/^file:\/\//, ''))
export const pathToFileURL = (path: string): { readonly href: string } => ({ href: `file://${resolve(path)}` })
