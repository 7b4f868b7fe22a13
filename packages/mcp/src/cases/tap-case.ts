import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { SecretMask } from '../tap/secret-mask.js'
import { type TapEntry, tapLine } from '../tap/tap-entry.js'
import { tapHttp } from '../tap/tap-http.js'
import { TapRecorder } from '../tap/tap-recorder.js'
import { outcomeOfRaw } from './bridge-case.js'
import type { CaseTools } from './case-tools.js'
import { checkLogs, checkOutcome } from './check-case.js'
import { checkResult } from './check-result.js'
import type { McpCase, Operation } from './mcp-case.js'
import { MAIN } from './operate-host.js'
import type { CaseOutcome } from './outcome.js'
import { type ClientTools, loadClientTools, type RawClient } from './raw-client.js'
import { type ScriptedPeer, startPeer } from './scripted-peer.js'
import { until } from './until.js'

const TAP = fileURLToPath(new URL('tapped-process.js', import.meta.url))

/** A started tap: the client in front of it, and what it recorded once the client has gone. */
type Tapped = {
  readonly client: RawClient
  /** Ends the tap. */
  finish(): Promise<{ readonly log: string; readonly maxBytes: number }>
}

/** Runs one scenario of the kind `tap`: a raw client, our tap, a scripted server. @returns what differed */
export async function runTapCase(scenario: McpCase, file: string, tools: CaseTools): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-mcp-tap-'))
  const clientTools = await loadClientTools(tools)
  const wrong: string[] = []
  const { transport, token } = scenario
  const options = {
    scenario: file,
    logFile: join(dir, 'main.jsonl'),
    transport,
    ...(token === undefined ? {} : { token }),
  }
  const peer = await startPeer(tools, options)
  let tapped: Tapped | undefined
  try {
    tapped =
      peer.target.kind === 'stdio' ? tapStdio(peer, dir, clientTools) : await tapAddress(scenario, peer, clientTools)
    const began = performance.now()
    await tapped.client.open()
    if (peer.target.kind === 'stdio') await until(() => peer.log().some(({ ev }) => ev === 'start'))
    if (scenario.script.raw === undefined) await tapped.client.handshake()
    const last = await operateAll(scenario, tapped.client, clientTools)
    if (scenario.script.raw !== undefined) {
      const { client } = tapped
      await client.exited
      // What a process wrote before its end may still be in the pipe.
      await until(() => client.events.some(({ e }) => e === 'eof'))
    }
    const took = performance.now() - began
    await tapped.client.close()
    const { log, maxBytes } = await tapped.finish()
    await until(() => tools.checkSent(scenario.expect.sent, peer.log()).length === 0)
    await peer.stop()
    if (took > scenario.expect.withinMs) wrong.push(`took ${Math.round(took)} ms`)
    wrong.push(...checkOutcome(scenario, last))
    wrong.push(
      ...checkResult(scenario.expect.result ?? {}, last, { updates: [], aliveChildren: 0, grownBytes: 0 }, tools),
    )
    wrong.push(...checkBytes(scenario, peer, tapped.client, maxBytes), ...checkTapLog(scenario, log))
    wrong.push(...checkEvents(scenario, tapped.client, tools), ...checkLogs(scenario, new Map([[MAIN, peer]]), tools))
  } catch (error) {
    wrong.push(`stopped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  } finally {
    await tapped?.client.close()
    await peer.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return wrong
}

function tapStdio({ target }: ScriptedPeer, dir: string, tools: ClientTools): Tapped {
  const report = join(dir, 'report.json')
  const server = target.kind === 'stdio' ? [target.command, ...(target.args ?? [])] : []
  const client = tools.make({
    transport: 'stdio',
    era: 'legacy',
    command: process.execPath,
    args: [TAP, report, ...server],
    timeoutMs: 4_000,
  })
  client.bytesOnly = true
  return {
    client,
    async finish() {
      await client.exited
      return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { log: '', maxBytes: 0 }
    },
  }
}

async function tapAddress({ era, token }: McpCase, { target }: ScriptedPeer, tools: ClientTools): Promise<Tapped> {
  const entries: TapEntry[] = []
  const mask = new SecretMask()
  const recorder = new TapRecorder({ mask, onEntry: (entry) => entries.push(entry) })
  const tap = await tapHttp({ url: target.kind === 'http' ? target.url : '', recorder, mask })
  const own = token === undefined ? {} : { token }
  const client = tools.make({ transport: 'http', era, url: tap.url, timeoutMs: 4_000, ...own })
  return {
    client,
    async finish() {
      await tap.close()
      return { log: entries.map(tapLine).join('\n'), maxBytes: 0 }
    },
  }
}

async function operateAll(
  { do: operations, script }: McpCase,
  client: RawClient,
  tools: ClientTools,
): Promise<CaseOutcome> {
  let last: CaseOutcome = { outcome: 'ok' }
  const early = stepsOf(script).filter(({ afterEnd }) => afterEnd !== true)
  const meant = writtenIn(early, 'out').length
  for (const operation of operations) {
    // The server of a scenario ends with its input, whatever it still had to write.
    if (operation.endInput) await until(() => sizeOf(client.stdout) >= meant, 10_000)
    const answer = await tools.operate(operation, { only: client })
    // What the client left by itself has no outcome of its own.
    if (operation.call === undefined || operation.leaveAfterMs !== undefined) continue
    const notes = client.events.filter(({ e, method }) => e === 'note' && method === 'notifications/progress')
    last = { ...outcomeOfRaw(answer, operation), progressAt: notes.map(({ ms }) => Number(ms)) }
  }
  return last
}

const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

function checkBytes(
  { script, do: operations, expect }: McpCase,
  peer: ScriptedPeer,
  client: RawClient,
  maxBytes: number,
): string[] {
  const wanted = expect.bytes as JsonObject | undefined
  if (wanted === undefined) return []
  const wrong: string[] = []
  const log = peer.log()
  const same = (what: string, got: Buffer, meant: Buffer): void => {
    if (wanted[what] === 'equal' && !got.equals(meant))
      wrong.push(`bytes ${what}: ${meant.length} meant, ${got.length} came`)
  }
  same(
    'in',
    Buffer.concat(log.filter(({ ev }) => ev === 'bytes').map(({ base64 }) => Buffer.from(String(base64), 'base64'))),
    writtenBy(operations),
  )
  same('out', Buffer.concat(client.stdout), writtenIn(stepsOf(script), 'out'))
  same('stderr', Buffer.concat(client.stderr), writtenIn(stepsOf(script), 'stderr'))
  const exit = client.events.find(({ e }) => e === 'exit')
  if (wanted.exit !== undefined && exit?.code !== wanted.exit)
    wrong.push(`exit: wanted ${wanted.exit}, got ${exit?.code}`)
  if (client.events.some(({ e }) => e === 'notYetOut')) wrong.push('bytes were held back')
  if (typeof wanted.hostBytesMax === 'number' && maxBytes > wanted.hostBytesMax)
    wrong.push(`the tap took ${maxBytes} bytes`)
  return wrong
}

function writtenBy(operations: readonly Operation[]): Buffer {
  return Buffer.concat(
    operations.flatMap(({ write, writeBase64, writeFill }) => {
      if (typeof write === 'string') return [Buffer.from(write)]
      if (typeof writeBase64 === 'string') return [Buffer.from(writeBase64, 'base64')]
      return typeof writeFill === 'number' ? [Buffer.alloc(writeFill, 'x')] : []
    }),
  )
}

const stepsOf = ({ raw }: JsonObject): readonly JsonObject[] =>
  isJsonObject(raw) && Array.isArray(raw.steps) ? raw.steps.filter((step) => isJsonObject(step)) : []

/** What these steps of a script write, as the scripted peer does it. */
function writtenIn(steps: readonly JsonObject[], stream: 'out' | 'stderr'): Buffer {
  const actions = steps.flatMap((step) => (Array.isArray(step.do) ? step.do : []))
  return Buffer.concat(actions.map((action) => (isJsonObject(action) ? bytesOf(action, stream) : Buffer.alloc(0))))
}

function bytesOf({ raw, base64, stderr }: JsonObject, stream: 'out' | 'stderr'): Buffer {
  if (stream === 'stderr')
    return typeof stderr === 'number' ? Buffer.from(`${'e'.repeat(stderr)}\n`) : Buffer.from(String(stderr ?? ''))
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64')
  return Buffer.from(
    typeof raw === 'string' ? raw.replace(/\{\{fill\.(\d+)\}\}/g, (_, n) => 'x'.repeat(Number(n))) : '',
  )
}

function checkTapLog({ expect }: McpCase, log: string): readonly string[] {
  const { contains = [], lacks = [] } = (expect.tapLog ?? {}) as {
    contains?: readonly string[]
    lacks?: readonly string[]
  }
  return [
    ...contains.filter((text) => !log.includes(text)).map((text) => `the log lacks ${text}`),
    ...lacks.filter((text) => log.includes(text)).map((text) => `the log holds ${text}`),
  ]
}

function checkEvents({ expect }: McpCase, client: RawClient, { assertWire }: CaseTools): readonly string[] {
  const wanted = (expect.clients as { only?: readonly Json[] } | undefined)?.only ?? []
  return assertWire(wanted, client.events).map((failed) => `client: ${JSON.stringify(failed)}`)
}
