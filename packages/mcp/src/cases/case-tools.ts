import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Json, JsonObject } from '@tenon/kernel'

/** The scripted peer and the checks that come with the cases; they say what the words of a scenario mean. */
export type CaseTools = {
  readonly peer: string
  /** The folder that they lie in. */
  readonly folder: string
  readonly fits: (want: Json, got: unknown) => boolean
  readonly checkSent: (sent: JsonObject | undefined, log: readonly JsonObject[]) => readonly JsonObject[]
  readonly leftAlive: (log: readonly JsonObject[]) => readonly number[]
  readonly assertWire: (
    wire: readonly Json[],
    events: readonly unknown[],
    log?: readonly JsonObject[],
  ) => readonly JsonObject[]
}

/** Looked for in the folder of the cases, beside it, and then where cases are by default. */
export async function loadCaseTools(folder: string, otherwise: string): Promise<CaseTools> {
  const found = [folder, join(folder, '..'), otherwise].find((place) => existsSync(join(place, 'peer.mjs')))
  if (found === undefined) throw new Error(`no peer.mjs in ${folder}, beside it or in ${otherwise}`)
  const checks = (await import(pathToFileURL(join(found, 'checks.mjs')).href)) as Omit<CaseTools, 'peer' | 'folder'>
  const { fits, checkSent, leftAlive, assertWire } = checks
  return { peer: join(found, 'peer.mjs'), folder: found, fits, checkSent, leftAlive, assertWire }
}
