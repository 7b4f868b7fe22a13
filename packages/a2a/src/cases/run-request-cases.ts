import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '@tenon/kernel'
import { type ServerSettings, startRequestServer } from './request-server.js'

type Start = (settings: ServerSettings) => ReturnType<typeof startRequestServer>
type Tools = {
  readonly runCase: (requestCase: JsonObject, start: Start) => Promise<readonly string[]>
  readonly verifySignedCard: Parameters<typeof startRequestServer>[1]
}

/** Cases that are played at the same time: most of their time is waiting. */
const AT_ONCE = 6

/** Plays the exchanges of a folder against our server. @returns what differed, by name */
export async function runRequestCases(
  folder: string,
  options: { readonly defaultFolder: string },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { runCase, verifySignedCard } = await loadTools(folder, options.defaultFolder)
  const waiting = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const found = new Map<string, readonly string[]>()
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const requestCase = JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonObject
      found.set(name, await runCase(requestCase, (settings) => startRequestServer(settings, verifySignedCard)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return found
}

async function loadTools(folder: string, otherwise: string): Promise<Tools> {
  const place = [folder, join(folder, '..'), otherwise].find((one) => existsSync(join(one, 'exchange.mjs')))
  if (place === undefined) throw new Error(`no exchange.mjs in ${folder}, beside it or in ${otherwise}`)
  const load = async (name: string): Promise<Partial<Tools>> => import(pathToFileURL(join(place, name)).href)
  return { ...(await load('exchange.mjs')), ...(await load('card.mjs')) } as Tools
}
