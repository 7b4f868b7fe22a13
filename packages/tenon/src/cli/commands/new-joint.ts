import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CONFIG_NAME, findConfig } from '../../config/find-config.js'
import { HostError } from '../../errors.js'
import type { Joint } from '../../scaffold/joint.js'
import { peerEntry } from '../../scaffold/peer-entry.js'
import { scaffold } from '../../scaffold/scaffold.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

export type NewJointOptions = { readonly url?: string }

/** `tenon new`: a joint with a test that passes, in the project that this folder belongs to. */
export async function newJoint(io: Io, joint: Joint, name: string, options: NewJointOptions): Promise<number> {
  const config = findConfig(io.cwd)
  return makeJoint(io, { joint, name, folder: config === undefined ? io.cwd : dirname(config), ...options })
}

export type MakeJoint = NewJointOptions & { readonly joint: Joint; readonly name: string; readonly folder: string }

export async function makeJoint(io: Io, { joint, name, folder, url }: MakeJoint): Promise<number> {
  if (joint === 'peer' && url === undefined)
    throw new HostError('usage', 'A peer is somewhere: say where with --url https://…')
  if (joint !== 'peer' && url !== undefined) throw new HostError('usage', '--url is for peers.')
  const entry = url === undefined ? undefined : await peerEntry(name, url)
  const { files, next } = scaffold({ joint, name, folder, ...(entry === undefined ? {} : { entry }) })
  const at = relative(io.cwd, folder)
  for (const file of files) io.stdout.write(`${safeText(join(at, file))}\n`)
  io.stderr.write(`Next:\n${next.map((line) => `  ${line}\n`).join('')}`)
  if (!existsSync(join(folder, CONFIG_NAME))) io.stderr.write('  tenon init writes a tenon.yaml to start from\n')
  return EXIT.completed
}
