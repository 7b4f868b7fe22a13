import type { SandboxFolder } from './sandbox.js'

/** Where a folder lies for a job whose file tree is its own. */
export const insidePath = (name: string, folder: SandboxFolder | undefined): string =>
  folder?.keepPath ? folder.path : `/${name}`
