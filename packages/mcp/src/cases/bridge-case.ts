import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import type { McpServerConfig } from '../host/server-config.js'
import { connectUpstream } from '../supervisor/supervised-upstream.js'
import { type CaseBridge, startCaseBridge } from './case-bridge.js'
import { CASE_LIMITS } from './case-limits.js'
import type { CaseTools } from './case-tools.js'
import { checkDiagnostics, checkLogs, checkOutcome } from './check-case.js'
import { checkResult } from './check-result.js'
import { HEALTHY_SCENARIO, watchNeighbour } from './healthy-neighbour.js'
import { isPause, type McpCase, type Operation } from './mcp-case.js'
import { MAIN } from './operate-host.js'
import type { CaseOutcome } from './outcome.js'
import { type ClientTools, loadClientTools, type RawClient } from './raw-client.js'
import { type ScriptedPeer, startPeer } from './scripted-peer.js'

/** Runs one scenario of the kind `bridge`: raw clients, our bridge, scripted servers. @returns what differed */
export async function runBridgeCase(scenario: McpCase, file: string, tools: CaseTools): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-mcp-bridge-'))
  const clientTools = await loadClientTools(tools)
  const peers = new Map<string, ScriptedPeer>()
  const clients: Record<string, RawClient> = {}
  const diagnostics = new Set<string>()
  const wrong: string[] = []
  let bridge: CaseBridge | undefined
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(clients).map((client) => client.close()))
    await bridge?.close()
    await Promise.all([...peers.values()].map((peer) => peer.stop()))
  }
  try {
    await startPeers(scenario, file, dir, tools, peers)
    // Clients are one user's, unless the scenario is about what one user sends for another.
    const apart = scenario.do.some((operation) => operation.replayStateOf !== undefined)
    bridge = await startCaseBridge(
      serversOf(scenario, peers),
      (token) => (apart ? token : 'user'),
      (code) => diagnostics.add(code),
    )
    const neighbour = await startNeighbour(dir, tools)
    const began = performance.now()
    for (const [name, options] of Object.entries(scenario.clients ?? {}))
      clients[name] = await openClient(name, options, bridge, clientTools)
    const last = await operateAll(scenario.do, clients, clientTools, wrong)
    const took = performance.now() - began
    wrong.push(...(await neighbour.stop()))
    const events = Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, [...client.events]]))
    await stop()
    if (took > scenario.expect.withinMs) wrong.push(`took ${Math.round(took)} ms`)
    wrong.push(...checkOutcome(scenario, last))
    wrong.push(...checkResult(scenario.expect.result ?? {}, last, NOTHING_OBSERVED, tools))
    wrong.push(...checkClients(scenario, events, tools), ...checkDiagnostics(scenario, diagnostics))
    wrong.push(...checkLogs(scenario, peers, tools))
  } catch (error) {
    wrong.push(`stopped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  } finally {
    await stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return wrong
}

const NOTHING_OBSERVED = { updates: [], aliveChildren: 0, grownBytes: 0 }

async function startPeers(
  { transport, token, others = {} }: McpCase,
  file: string,
  dir: string,
  tools: CaseTools,
  peers: Map<string, ScriptedPeer>,
): Promise<void> {
  const own = token === undefined ? {} : { token }
  peers.set(MAIN, await startPeer(tools, { scenario: file, logFile: join(dir, 'main.jsonl'), transport, ...own }))
  for (const [part, other] of Object.entries(others)) {
    const options = { scenario: file, logFile: join(dir, `${part}.jsonl`), transport: other.transport, part }
    peers.set(part, await startPeer(tools, options))
  }
}

async function startNeighbour(dir: string, tools: CaseTools): Promise<{ stop(): Promise<readonly string[]> }> {
  const scenario = join(dir, 'healthy.json')
  writeFileSync(scenario, JSON.stringify(HEALTHY_SCENARIO))
  const peer = await startPeer(tools, { scenario, logFile: join(dir, 'healthy.jsonl'), transport: 'stdio' })
  const clientInfo = { name: 'tenon-cases', version: '1' }
  const upstream = connectUpstream({ name: 'healthy', target: peer.target, clientInfo })
  const watching = watchNeighbour(upstream)
  return {
    async stop() {
      const troubles = await watching.stop()
      await upstream.close()
      return troubles
    },
  }
}

const serversOf = ({ host = {} }: McpCase, peers: ReadonlyMap<string, ScriptedPeer>): readonly McpServerConfig[] =>
  [...peers].map(([name, { target }]) => {
    const { trusted = false, plantEnv, viewBudgetBytes, ...limits } = host
    return { name, target, trusted, limits: { ...CASE_LIMITS, ...limits } }
  })

async function openClient(
  name: string,
  options: JsonObject,
  bridge: CaseBridge,
  tools: ClientTools,
): Promise<RawClient> {
  const { transport, era, declares, answers } = options
  const client = tools.make({
    transport: String(transport),
    era: String(era),
    ...(transport === 'stdio' ? { command: bridge.command, args: bridge.args } : { url: bridge.url, token: name }),
    ...(isJsonObject(declares) ? { declares } : {}),
    ...(Array.isArray(answers) ? { answers } : {}),
    timeoutMs: 4_000,
  })
  await client.open()
  await client.handshake()
  return client
}

async function operateAll(
  operations: readonly Operation[],
  clients: Readonly<Record<string, RawClient>>,
  tools: ClientTools,
  wrong: string[],
): Promise<CaseOutcome> {
  let last: CaseOutcome = { outcome: 'nothing' }
  const one = async (operation: Operation): Promise<CaseOutcome> => {
    // To name whose state is replayed is to replay it.
    const replayed = operation.replayStateOf === undefined ? operation : { replayState: true, ...operation }
    const answer = await tools.operate(replayed, clients)
    const outcome = outcomeOfRaw(answer, operation)
    const { is, orIs = [] } = operation
    if (is !== undefined && outcome.outcome !== is && !orIs.includes(outcome.outcome))
      wrong.push(`${JSON.stringify(operation)} is ${outcome.outcome}: ${JSON.stringify(answer)?.slice(0, 300)}`)
    return outcome
  }
  for (const operation of operations) {
    const { parallel } = operation
    const outcomes = parallel === undefined ? [await one(operation)] : await Promise.all(parallel.map(one))
    const latest = outcomes.at(-1)
    if (latest === undefined || isPause(operation)) continue
    last = { ...(last.tools === undefined ? {} : { tools: last.tools }), ...latest }
  }
  return last
}

/** What a raw client got, in the words of the scenarios. */
export function outcomeOfRaw(answer: JsonObject | undefined, operation: Operation): CaseOutcome {
  if (answer === undefined || operation.follow !== undefined) return { outcome: 'ok' }
  const { error, result, all } = answer
  if (answer.silence === true) return { outcome: 'timeout' }
  if (answer.cancelled === true) return { outcome: 'cancelled' }
  if (answer.lost !== undefined) return { outcome: 'connection-lost', error: { message: String(answer.lost) } }
  if (isJsonObject(error))
    return { outcome: 'rpc-error', error: { message: String(error.message), code: Number(error.code) } }
  if (Array.isArray(all)) return { outcome: 'ok', tools: all.filter((item) => isJsonObject(item)).map(toolOf) }
  if (!isJsonObject(result)) return { outcome: 'protocol-error', error: { message: JSON.stringify(answer) } }
  return { outcome: result.isError === true ? 'tool-error' : 'ok', result, text: textOf(result) }
}

const toolOf = (item: JsonObject) => ({
  name: String(item.name ?? item.uri),
  shownName: String(item.name ?? item.uri),
  description: String(item.description ?? ''),
})

function textOf({ content, contents, messages }: JsonObject): string {
  const parts: readonly Json[] = [content, contents, messages].flatMap((list) => (Array.isArray(list) ? list : []))
  return parts.map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

function checkClients(
  { expect }: McpCase,
  events: Readonly<Record<string, readonly JsonObject[]>>,
  { assertWire }: CaseTools,
): readonly string[] {
  const wanted = isJsonObject(expect.clients as Json) ? (expect.clients as JsonObject) : {}
  return Object.entries(wanted).flatMap(([name, lines]) =>
    assertWire(Array.isArray(lines) ? lines : [], events[name] ?? []).map(
      (failed) => `client ${name}: ${JSON.stringify(failed)}`,
    ),
  )
}
