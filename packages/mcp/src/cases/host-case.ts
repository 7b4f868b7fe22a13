import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SchemaCompiler } from '@tenon/kernel'
import { memoryPins } from '../catalogue/pins.js'
import { McpHost } from '../host/mcp-host.js'
import type { McpServerConfig } from '../host/server-config.js'
import { personWith } from './call-in-host.js'
import { CASE_LIMITS } from './case-limits.js'
import type { CaseTools } from './case-tools.js'
import { checkDiagnostics, checkLogs, checkOutcome } from './check-case.js'
import { checkResult } from './check-result.js'
import { HEALTHY_SCENARIO, watchNeighbour } from './healthy-neighbour.js'
import { isPause, type McpCase, type Operation } from './mcp-case.js'
import { type HostStage, MAIN, operateHost } from './operate-host.js'
import type { CaseOutcome } from './outcome.js'
import { type ScriptedPeer, startPeer } from './scripted-peer.js'
import { until } from './until.js'

const HEALTHY = 'healthy'

/** Runs one scenario of the kind `host` on a real host. @returns what differed */
export async function runHostCase(
  scenario: McpCase,
  file: string,
  tools: CaseTools,
  compile: SchemaCompiler,
): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-mcp-case-'))
  const peers = new Map<string, ScriptedPeer>()
  const planted = Object.entries(scenario.host?.plantEnv ?? {})
  for (const [name, value] of planted) process.env[name] = value
  const wrong: string[] = []
  const stop = async (): Promise<void> => {
    await Promise.all([...peers.values()].map((peer) => peer.stop()))
  }
  try {
    await startPeers(scenario, file, dir, tools, peers)
    const diagnostics = new Set<string>()
    const updates: string[] = []
    const host = hostOf(scenario, peers, compile, diagnostics)
    host.server(MAIN)?.upstream.on((event) => {
      if (event.kind === 'notification' && event.method === 'notifications/resources/updated')
        updates.push(String(event.params.uri))
    })
    const healthy = host.server(HEALTHY)
    const neighbour = healthy === undefined ? undefined : watchNeighbour(healthy.upstream)
    const stage: HostStage = {
      host,
      person: personWith(scenario.answers ?? []),
      onTruncated: () => diagnostics.add('output-truncated'),
      viewBudgetBytes: scenario.host?.viewBudgetBytes ?? 65_536,
    }
    const before = process.memoryUsage().rss
    const began = performance.now()
    const last = await operateAll(scenario, stage, wrong)
    const took = performance.now() - began
    const grownBytes = process.memoryUsage().rss - before
    const aliveChildren = tools.leftAlive(peers.get(MAIN)?.log() ?? []).length
    wrong.push(...((await neighbour?.stop()) ?? []))
    await host.close()
    if (took > scenario.expect.withinMs) wrong.push(`took ${Math.round(took)} ms`)
    await stop()
    wrong.push(...checkOutcome(scenario, last))
    wrong.push(...checkResult(scenario.expect.result ?? {}, last, { updates, aliveChildren, grownBytes }, tools))
    wrong.push(...checkDiagnostics(scenario, diagnostics))
    wrong.push(...checkLogs(scenario, peers, tools))
  } catch (error) {
    wrong.push(`stopped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  } finally {
    await stop()
    for (const [name] of planted) delete process.env[name]
    rmSync(dir, { recursive: true, force: true })
  }
  return wrong
}

async function startPeers(
  scenario: McpCase,
  file: string,
  dir: string,
  tools: CaseTools,
  peers: Map<string, ScriptedPeer>,
): Promise<void> {
  const { transport, token } = scenario
  const own = token === undefined ? {} : { token }
  peers.set(MAIN, await startPeer(tools, { scenario: file, logFile: join(dir, 'main.jsonl'), transport, ...own }))
  for (const [part, other] of Object.entries(scenario.others ?? {}))
    peers.set(
      part,
      await startPeer(tools, { scenario: file, logFile: join(dir, `${part}.jsonl`), transport: other.transport, part }),
    )
  const healthy = join(dir, 'healthy.json')
  writeFileSync(healthy, JSON.stringify(HEALTHY_SCENARIO))
  peers.set(
    HEALTHY,
    await startPeer(tools, { scenario: healthy, logFile: join(dir, 'healthy.jsonl'), transport: 'stdio' }),
  )
}

function hostOf(
  scenario: McpCase,
  peers: ReadonlyMap<string, ScriptedPeer>,
  compile: SchemaCompiler,
  diagnostics: Set<string>,
): McpHost {
  const { trusted = false, requestTimeoutMs, totalTimeoutMs, startTimeoutMs, probeTimeoutMs } = scenario.host ?? {}
  const { maxMessageBytes, closeGraceMs } = scenario.host ?? {}
  const asked = { requestTimeoutMs, totalTimeoutMs, startTimeoutMs, probeTimeoutMs, maxMessageBytes, closeGraceMs }
  const limits = {
    ...CASE_LIMITS,
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
  }
  const servers: McpServerConfig[] = [...peers].map(([name, { target }]) => ({ name, target, trusted, limits }))
  return new McpHost({
    servers,
    compile,
    clientInfo: { name: 'tenon-cases', version: '1' },
    pins: memoryPins(),
    capabilities: scenario.declares ?? {},
    automatic: {
      roots: [{ uri: 'file:///project', name: 'project' }],
      sample: async () => ({
        role: 'assistant',
        content: { type: 'text', text: 'sampled' },
        model: 'none',
        stopReason: 'endTurn',
      }),
    },
    onDiagnostic: ({ server, code }) => {
      if (server !== HEALTHY) diagnostics.add(code)
    },
  })
}

/** In order, those of a `parallel` at once; the outcome is that of the last operation that is no pause. */
async function operateAll(
  { do: operations, expect }: McpCase,
  stage: HostStage,
  wrong: string[],
): Promise<CaseOutcome> {
  let last: CaseOutcome = { outcome: 'nothing' }
  const one = async (operation: Operation): Promise<CaseOutcome> => {
    if (operation.cached) await until(() => isKnown(expect.result?.tools, stage))
    const outcome = await operateHost(operation, stage)
    const { is, orIs = [] } = operation
    if (is !== undefined && outcome.outcome !== is && !orIs.includes(outcome.outcome)) {
      const why = outcome.error?.message.slice(0, 200) ?? ''
      wrong.push(`${JSON.stringify(operation)} is ${outcome.outcome} ${why}`)
    }
    return outcome
  }
  for (const operation of operations) {
    const { parallel } = operation
    const outcomes = parallel === undefined ? [await one(operation)] : await Promise.all(parallel.map(one))
    const latest = outcomes.at(-1)
    // What was listed stays known while other operations follow.
    if (latest !== undefined && !isPause(operation)) last = { ...listedIn(last), ...latest }
  }
  return last
}

/** The tools that a scenario means, if it means any, are those that the host knows. */
const isKnown = (wanted: unknown, { host }: HostStage): boolean =>
  !Array.isArray(wanted) || `${host.server(MAIN)?.catalogue.tools.map(({ name }) => name)}` === `${wanted}`

const listedIn = ({ tools }: CaseOutcome): Pick<CaseOutcome, 'tools'> => (tools === undefined ? {} : { tools })
