import { removeModel, userDataFolder } from '@tenon/models'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'

/** `tenon models remove` */
export async function removeLocalModel(io: Io, name: string): Promise<number> {
  const plain = name.replace(/^local\//, '')
  await removeModel(userDataFolder(io.environment), plain)
  io.stderr.write(`${plain} is gone.\n`)
  return EXIT.completed
}
