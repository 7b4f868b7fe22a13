import { basename, dirname } from 'node:path'

/** The folder of the project that a file of servers belongs to: its own, or above an editor's. */
export function projectOf(file: string): string {
  const folder = dirname(file)
  return ['.cursor', '.vscode'].includes(basename(folder)) ? dirname(folder) : folder
}
