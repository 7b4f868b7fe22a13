import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ContentBlock } from '@tenon/kernel'
import { fileError } from '../tools/file-error.js'

/**
 * Writes the files that an agent handed over into a folder and gives their paths. A name of the agent's is a name here and
 * never a path; what stands there already is left, and the file gets a number.
 * @throws HostError what the disk said
 */
export function saveFiles(folder: string, content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((block) => {
    if (block.kind === 'text' || block.kind === 'artifact' || block.source.kind !== 'data') return []
    const name = safeName(block.name ?? block.kind)
    return [saveNew(folder, name, Buffer.from(block.source.base64, 'base64'))]
  })
}

/** No folder, no hidden file, nothing that a disk cannot hold. */
const safeName = (given: string): string =>
  basename(given.replaceAll('\\', '/'))
    .replace(/[\p{C}<>:"|?*]/gu, '_')
    .replace(/^\.+/, '')
    .slice(0, 100) || 'file'

const MOST_NUMBERS = 1_000

function saveNew(folder: string, name: string, bytes: Uint8Array): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? name : `${stem}-${number}${extension}`)
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(path, bytes, { flag: 'wx' })
      return path
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && number < MOST_NUMBERS) continue
      throw fileError(cause, path)
    }
  }
}
