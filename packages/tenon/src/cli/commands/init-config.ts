import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CONFIG_NAME } from '../../config/find-config.js'
import { STARTING_CONFIG } from '../../config/starting-config.js'
import { HostError } from '../../errors.js'
import { COUNTERPARTS, type Counterpart } from '../../scaffold/counterpart.js'
import type { Joint } from '../../scaffold/joint.js'
import { type Asker, terminalAsker } from '../consent/asker.js'
import { EXIT } from '../exit-code.js'
import { type Io, isInteractive } from '../io.js'
import { makeJoint } from './new-joint.js'

export type InitOptions = { readonly with?: Counterpart; readonly name?: string; readonly url?: string }

type First = { readonly joint: Joint; readonly name: string; readonly url?: string }

/** `tenon init`: asks where a person is there to be asked; in a pipe the options answer. */
export async function initConfig(io: Io, dir: string, options: InitOptions): Promise<number> {
  const folder = resolve(io.cwd, dir)
  const file = resolve(folder, CONFIG_NAME)
  const first = options.with === undefined ? undefined : firstJoint(options.with, options)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, STARTING_CONFIG, { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new HostError('usage', `${file} is there already and was left as it is. tenon new adds to it.`, { cause })
    throw new HostError('usage', `${file} cannot be written: ${(cause as Error).message}.`, { cause })
  }
  io.stderr.write(`Wrote ${file}. Next: tenon doctor, then tenon run "…"\n`)
  const wanted = first ?? (isInteractive(io) ? await askFirst(terminalAsker(io)) : undefined)
  return wanted === undefined ? EXIT.completed : makeJoint(io, { ...wanted, folder })
}

const USUAL_NAMES: Readonly<Record<Joint, string>> = {
  tool: 'add-percent',
  'mcp-server': 'orders',
  skill: 'weekly-report',
  agent: 'reader',
  peer: 'colleague',
}

/** A colleague with an address lives elsewhere; without one it is an agent of this project. */
function jointFor(counterpart: Counterpart, url: string | undefined): Joint {
  switch (counterpart) {
    case 'code':
      return 'tool'
    case 'system':
      return 'mcp-server'
    case 'method':
      return 'skill'
    case 'colleague':
      return url === undefined ? 'agent' : 'peer'
  }
}

function firstJoint(counterpart: Counterpart, { name, url }: InitOptions): First {
  const joint = jointFor(counterpart, url)
  return { joint, name: name ?? USUAL_NAMES[joint], ...(url === undefined ? {} : { url }) }
}

const QUESTION = `What should your agent work with first?
  1  code in this process          a function, called by schema
  2  an outside system             an MCP server: data and actions, no thinking
  3  a method                      a skill: how work is done here, with scripts
  4  a colleague that thinks       an agent of its own, here or elsewhere (A2A)
`

async function askFirst(asker: Asker): Promise<First | undefined> {
  const { signal } = new AbortController()
  asker.say(QUESTION)
  const chosen = (await asker.question('1 to 4, empty for nothing yet: ', signal))?.trim() ?? ''
  const counterpart = COUNTERPARTS[Number(chosen) - 1] ?? COUNTERPARTS.find((one) => one === chosen)
  if (counterpart === undefined) return undefined
  const where =
    counterpart === 'colleague'
      ? (await asker.question('Its address if it lives elsewhere, empty for an agent here: ', signal))?.trim()
      : undefined
  const url = where === '' ? undefined : where
  const joint = jointFor(counterpart, url)
  const name = (await asker.question(`Its name (${USUAL_NAMES[joint]}): `, signal))?.trim()
  return firstJoint(counterpart, { ...(name ? { name } : {}), ...(url === undefined ? {} : { url }) })
}
