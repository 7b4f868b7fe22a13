import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CONFIG_NAME } from '../../config/find-config.js'
import { STARTING_CONFIG } from '../../config/starting-config.js'
import { HostError } from '../../errors.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'

/** `tenon init` */
export async function initConfig(io: Io, dir: string): Promise<number> {
  const folder = resolve(io.cwd, dir)
  const file = resolve(folder, CONFIG_NAME)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, STARTING_CONFIG, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new HostError('usage', `${file} is there already and was left as it is.`, { cause })
    throw new HostError('usage', `${file} cannot be written: ${(cause as Error).message}.`, { cause })
  }
  io.stderr.write(`Wrote ${file}. Next: tenon doctor, then tenon run "…"\n`)
  return EXIT.completed
}
