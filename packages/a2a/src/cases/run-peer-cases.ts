import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SchemaCompiler } from '@tenon/kernel'
import type { TrustedKey } from '../card-client/verify-card.js'
import { runPeerCase } from './peer-case.js'
import type { PeerScenario, PeerTools } from './peer-scenario.js'

export type PeerCasesOptions = {
  readonly compile: SchemaCompiler
  /** Where the scripted peer is, if the folder has none. */
  readonly defaultFolder: string
  /** Scenarios at once. */
  readonly parallel?: number
  /** Only scenarios whose name holds this. */
  readonly only?: string
}

/** Plays the scripted peers of `FOLDER/peers`, or of the folder itself. @returns what differed, by name */
export async function runPeerCases(
  folder: string,
  options: PeerCasesOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tools = await loadPeerTools(folder, options.defaultFolder)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && name.includes(options.only ?? ''))
  const queue = names.sort()
  const found = new Map<string, readonly string[]>()
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const scenario = JSON.parse(await readFile(join(folder, name), 'utf8')) as PeerScenario
      found.set(name, await runPeerCase(scenario, tools, options.compile))
    }
  }
  await Promise.all(Array.from({ length: options.parallel ?? 4 }, work))
  return found
}

async function loadPeerTools(folder: string, otherwise: string): Promise<PeerTools> {
  const place = [folder, join(folder, '..'), otherwise].find((one) => existsSync(join(one, 'peer.mjs')))
  if (place === undefined) throw new Error(`no peer.mjs in ${folder}, beside it or in ${otherwise}`)
  const { startPeer, judge } = (await import(pathToFileURL(join(place, 'peer.mjs')).href)) as Omit<PeerTools, 'keys'>
  const jwks = JSON.parse(await readFile(join(place, 'cards', 'jwks.json'), 'utf8')) as { keys: readonly TrustedKey[] }
  return { startPeer, judge, keys: jwks.keys }
}
