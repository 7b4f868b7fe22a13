import type { JsonObject } from '@tenon/kernel'
import type { CaseTools } from './case-tools.js'
import type { McpCase } from './mcp-case.js'
import { MAIN } from './operate-host.js'
import type { CaseOutcome } from './outcome.js'
import type { ScriptedPeer } from './scripted-peer.js'

const ALWAYS_ALLOWED: readonly string[] = ['fallback-legacy', 'stderr']

/** Whether the last operation came to what it should. */
export function checkOutcome({ expect }: McpCase, { outcome, error }: CaseOutcome): readonly string[] {
  if (outcome === expect.outcome || expect.alsoAccept?.includes(outcome)) return []
  return [`outcome: wanted ${expect.outcome}, got ${outcome}${error === undefined ? '' : `: ${error.message}`}`]
}

/** Those that are wanted must be there; others only where the scenario lets them. */
export function checkDiagnostics({ expect }: McpCase, found: ReadonlySet<string>): readonly string[] {
  const wanted = expect.diagnostics ?? []
  const allowed = [...wanted, ...(expect.mayAlso ?? []), ...ALWAYS_ALLOWED]
  return [
    ...wanted.filter((code) => !found.has(code)).map((code) => `no diagnostic ${code}`),
    ...[...found].filter((code) => !allowed.includes(code)).map((code) => `diagnostic ${code} was not wanted`),
  ]
}

/** What the peers wrote down: what they were sent, and that nobody of them lives. */
export function checkLogs(
  { expect }: McpCase,
  peers: ReadonlyMap<string, ScriptedPeer>,
  { checkSent, leftAlive }: CaseTools,
): readonly string[] {
  const logs: readonly (readonly JsonObject[])[] = [...peers.values()].map((peer) => peer.log())
  const sent = checkSent(expect.sent, peers.get(MAIN)?.log() ?? [])
  return [
    ...sent.map((failed) => `sent: ${JSON.stringify(failed)}`),
    ...logs.flatMap((log) => leftAlive(log)).map((pid) => `process ${pid} is left`),
  ]
}
