import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '@tenon/kernel'
import { type ServerSettings, startRequestServer } from './request-server.js'

type Start = (settings: ServerSettings) => ReturnType<typeof startRequestServer>
type Tools = {
  readonly runCase: (requestCase: JsonObject, start: Start) => Promise<readonly string[]>
  readonly verifySignedCard: Parameters<typeof startRequestServer>[1]
}

export type CaseFailure = { readonly name: string; readonly differences: readonly string[] }

/** Cases that are played at the same time: most of their time is waiting. */
const AT_ONCE = 6

/**
 * Plays the exchanges of `folder/requests` against our server; `tools` is the folder that holds the code of the cases.
 */
export async function runRequestCases(
  folder: string,
  tools: string,
): Promise<{ readonly passed: number; readonly failures: readonly CaseFailure[] }> {
  const { runCase } = (await import(pathToFileURL(join(tools, 'exchange.mjs')).href)) as Pick<Tools, 'runCase'>
  const { verifySignedCard } = (await import(pathToFileURL(join(tools, 'card.mjs')).href)) as Pick<
    Tools,
    'verifySignedCard'
  >
  const waiting = readdirSync(join(folder, 'requests'))
    .filter((name) => name.endsWith('.json'))
    .sort()
  const failures: CaseFailure[] = []
  let passed = 0
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const requestCase = JSON.parse(readFileSync(join(folder, 'requests', name), 'utf8')) as JsonObject
      const differences = await runCase(requestCase, (settings) => startRequestServer(settings, verifySignedCard))
      if (differences.length === 0) passed++
      else failures.push({ name: name.replace(/\.json$/, ''), differences })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { passed, failures: failures.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}
