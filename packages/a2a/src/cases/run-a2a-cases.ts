import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCardCases } from './card-cases.js'
import type { CaseReport } from './case-report.js'
import { type PeerCasesOptions, runPeerCases } from './run-peer-cases.js'
import { runRequestCases } from './run-request-cases.js'

/** By name, what differed. */
type Found = ReadonlyMap<string, readonly string[]>
type Runner = (folder: string, options: PeerCasesOptions) => Promise<Found>

const RUNNERS: Readonly<Record<string, Runner>> = {
  requests: runRequestCases,
  peers: runPeerCases,
  cards: runCardCases,
}

/** Runs the folders `peers`, `cards` and so on of a folder through the code that ships. */
export async function runA2aCases(folder: string, options: PeerCasesOptions): Promise<CaseReport> {
  let passed = 0
  const failures: { name: string; differences: readonly string[] }[] = []
  for (const [kind, run] of Object.entries(RUNNERS)) {
    const place = join(folder, kind)
    if (!existsSync(place)) continue
    for (const [name, differences] of await run(place, options))
      if (differences.length === 0) passed++
      else failures.push({ name: `${kind}/${name}`, differences })
  }
  return { passed, failures }
}
