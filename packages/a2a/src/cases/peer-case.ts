import { setMaxListeners } from 'node:events'
import type { SchemaCompiler } from '@tenon/kernel'
import { type CallState, isJsonObject, plainText, type RunId, type RunState } from '@tenon/kernel'
import { ClientHost } from './client-host.js'
import { type KeptPorts, keptPorts } from './kept-ports.js'
import type { ClientReport, PeerOrders, PeerScenario, PeerTools, ScriptedPeer } from './peer-scenario.js'
import { startWebhook, type Webhook } from './webhook.js'

/** Real seconds after which a scenario counts as hung. */
const HANG_MS = 60_000

/** Runs one scenario against the hand that ships: a real run, with real sockets. @returns what differed */
export async function runPeerCase(
  scenario: PeerScenario,
  tools: PeerTools,
  compile: SchemaCompiler,
): Promise<readonly string[]> {
  const peer = await tools.startPeer(scenario)
  const webhook = scenario.do.webhook === true ? await startWebhook() : undefined
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  const stage = new Stage(scenario, peer, tools, compile, keptPorts(), over.signal, webhook)
  const hung = new Promise<readonly string[]>((resolve) => {
    const timer = setTimeout(() => resolve([`did not end within ${HANG_MS / 1_000} s`]), HANG_MS)
    over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  try {
    return await Promise.race([hung, stage.play()])
  } catch (error) {
    return [`stopped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
  } finally {
    over.abort()
    await stage.close()
    await peer.stop()
    await webhook?.stop()
  }
}

class Stage {
  #host: ClientHost

  constructor(
    readonly scenario: PeerScenario,
    readonly peer: ScriptedPeer,
    readonly tools: PeerTools,
    readonly compile: SchemaCompiler,
    readonly ports: KeptPorts,
    readonly over: AbortSignal,
    readonly webhook: Webhook | undefined,
  ) {
    this.#host = this.#open()
  }

  get orders(): PeerOrders {
    return this.scenario.do
  }

  async play(): Promise<readonly string[]> {
    let report: ClientReport | undefined
    for (let time = 0; time < (this.orders.times ?? 1); time++) report = await this.#delegate()
    await this.peer.settled()
    return report === undefined ? ['nothing was done'] : this.tools.judge(this.scenario, this.peer, report)
  }

  close(): Promise<void> {
    return this.#host.close()
  }

  #open(): ClientHost {
    return new ClientHost(this.scenario, this.peer, this.tools.keys, this.compile, this.ports, this.webhook)
  }

  async #delegate(): Promise<ClientReport> {
    const runId = await this.#host.engine.submit({ agent: 'client', goal: this.orders.text })
    await this.#disturb(runId)
    const answers = [...(this.orders.answers ?? [])]
    for (;;) {
      const run = await this.#host.engine.drive(runId)
      const [asked] = run.inputs.values()
      if (run.ended || asked === undefined) return this.#report(runId, run)
      if (this.orders.cancelWhen === 'asked') {
        await this.#host.engine.cancel(runId, 'The user canceled.')
        continue
      }
      const answer = answers.shift()
      if (answer === undefined) {
        await this.peer.clock.sleep(this.orders.observeForMs ?? 0, this.over)
        return this.#report(runId, run)
      }
      await this.#host.engine.answer(runId, asked.requestId, answer.done ? 'done' : (answer.text ?? ''))
    }
  }

  /** What the scenario does to the client while it works. */
  async #disturb(runId: RunId): Promise<void> {
    const { restartWhen, cancelWhen, leaveWhen } = this.orders
    const when = restartWhen ?? leaveWhen ?? (cancelWhen === 'asked' ? undefined : cancelWhen)
    if (when === undefined) return
    if (when === 'sending') await this.#sent()
    else await this.#until(runId, when === 'working' ? 'call-handle' : 'input-requested')
    if (cancelWhen !== undefined) await this.#host.engine.cancel(runId, 'The user canceled.')
    if (restartWhen === undefined) return
    await this.#host.close()
    this.#host = this.#open()
  }

  async #sent(): Promise<void> {
    while (!this.over.aborted && !this.peer.log.some(({ op }) => op?.startsWith('Send')))
      await new Promise((resolve) => setTimeout(resolve, 5))
  }

  /** Watches the run until the event; then the watcher goes. */
  async #until(runId: RunId, kind: 'call-handle' | 'input-requested'): Promise<void> {
    for await (const item of this.#host.engine.follow(runId, { signal: this.over }))
      if (item.kind === 'event' && (item.event.kind === kind || item.event.kind === 'run-ended')) return
  }

  async #report(runId: RunId, run: RunState): Promise<ClientReport> {
    const call = [...run.calls.values()].find(({ proposal }) => proposal.tool === 'delegate')
    if (call === undefined) throw new Error(`nothing was delegated: ${JSON.stringify(run.ended)}`)
    const events = await this.ports.journal.load(runId)
    return {
      outcome: call.outcome ?? 'waiting',
      ...(call.error === undefined ? {} : { code: call.error.code }),
      text: plainText(call.content),
      artifacts: artifactsOf(call),
      untrusted: call.provenance?.trust === 'untrusted',
      asks: events.flatMap((event) =>
        event.kind === 'input-requested'
          ? { kind: event.request.kind === 'question' ? 'input' : event.request.kind, text: event.request.prompt }
          : [],
      ),
    }
  }
}

const artifactsOf = ({ value }: CallState): ClientReport['artifacts'] =>
  isJsonObject(value) ? (value.artifacts ?? []) : []
