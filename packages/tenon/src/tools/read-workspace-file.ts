import { HostError } from '../errors.js'
import { readableSize } from './readable-size.js'
import { Workspace } from './workspace.js'

const MOST_BYTES = 16 * 1_024 * 1_024

/** A whole file of the workspace, as far as file tools may read it. @throws HostError as `Workspace.openFile` */
export async function readWorkspaceFile(folder: string, path: string): Promise<Uint8Array> {
  const { handle, stats, place } = await new Workspace(folder).openFile(path)
  try {
    if (stats.isDirectory()) throw new HostError('path-kind', `${place.shown} is a folder.`)
    if (stats.size > BigInt(MOST_BYTES))
      throw new HostError(
        'file-too-large',
        `${place.shown} has ${readableSize(Number(stats.size))}; 16 MB is the most.`,
      )
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
