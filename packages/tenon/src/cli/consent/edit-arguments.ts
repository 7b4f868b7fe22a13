import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '@tenon/kernel'
import type { Environment } from '../../config/interpolate.js'
import type { Asker } from './asker.js'

/**
 * Lets a person change the arguments of a call: in their editor where one is named, else as one line of JSON.
 * Undefined when they leave them as they are or give up.
 */
export async function editArguments(
  args: JsonObject,
  asker: Asker,
  environment: Environment,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const editor = environment.VISUAL || environment.EDITOR
  let source = JSON.stringify(args, null, 2)
  for (;;) {
    const edited = editor
      ? await inEditor(editor, source, signal)
      : await asker.question('New arguments as JSON (empty leaves them): ', signal)
    if (edited === undefined || edited.trim() === '' || edited.trim() === source.trim()) return undefined
    const read = readObject(edited)
    if (typeof read !== 'string') return read
    asker.say(read)
    if (editor) {
      const again = await asker.question('Edit again? [Y/n] ', signal)
      if (again === undefined || /^n/i.test(again.trim())) return undefined
      source = edited
    }
  }
}

function readObject(source: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(source)
    return isJsonObject(value) ? value : 'The arguments must be a JSON object.'
  } catch (error) {
    return `That is not JSON: ${(error as Error).message}`
  }
}

async function inEditor(editor: string, source: string, signal: AbortSignal): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-edit-'))
  try {
    const file = join(folder, 'arguments.json')
    await writeFile(file, `${source}\n`, { mode: 0o600 })
    // An editor setting may carry flags ("code --wait"), so a shell reads it; the file's name is ours.
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', signal })
    const code = await new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(1))
      child.on('close', resolve)
    })
    return code === 0 ? await readFile(file, 'utf8') : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
