import type { ToolCallBlock } from '../content/block.js'
import type { CallId, ScopeId, TurnId } from '../content/ids.js'
import { roomFor } from '../ledger/make-room.js'
import type { PartRecord } from '../ledger/part.js'
import { frameParts, Ledger, TOOLS_PART, toolsPart } from '../ledger/view.js'
import type { Command } from '../planner/command.js'
import type { Tool } from '../ports/tool.js'
import { limitReached } from './limits.js'
import type { RunDesk } from './run-desk.js'
import type { TurnDesk } from './turn-runner.js'
import { TurnRunner } from './turn-runner.js'

type ModelName = { readonly provider: string; readonly model: string }

/** The turns of one run: what each is shown, that it is in the journal before the model is asked, and its end. */
export class Turns {
  readonly #ledger: Ledger
  readonly #desk: TurnDesk
  readonly #running = new Map<TurnId, TurnRunner>()
  #model: ModelName = { provider: '', model: '' }
  #tools: readonly Tool[] | undefined
  #byName: ReadonlyMap<string, Tool> = new Map()
  /** Tools whose outputs are never taken out of the view. */
  #kept: ReadonlySet<string> = new Set()

  constructor(readonly driver: RunDesk) {
    this.#ledger = new Ledger(driver.run, driver.agent)
    this.#desk = this.#makeDesk()
  }

  /** A model is at work. */
  get active(): boolean {
    return this.#running.size > 0
  }

  /** The agent's tools as they are now; those that changed are set in the view. */
  tools(): ReadonlyMap<string, Tool> {
    this.#refreshTools()
    return this.#byName
  }

  /** Asks the model after the next commit. */
  ask(command: Extract<Command, { kind: 'ask' }>): void {
    const { driver } = this
    const over = limitReached(driver.run)
    if (over) {
      driver.fail('limit-reached', over)
      return
    }
    this.#refreshTools()
    this.#setFrame()
    const { scope, purpose, references } = command
    driver.run.scope(scope).growTranscript(driver.run)
    this.#makeRoom(scope)
    const { request, manifest: view } = this.#ledger.view(scope, command.view)
    const { toolChoice } = request
    const turnId = driver.run.nextTurnId()
    const began = { seq: 0, at: 0, kind: 'turn-began', turnId, scope, purpose, model: this.#modelName(), view } as const
    if (toolChoice === 'auto' && !references) driver.record(began)
    else
      driver.record({
        ...began,
        ...(toolChoice === 'auto' ? {} : { toolChoice }),
        ...(references ? { references: true as const } : {}),
      })
    const runner = new TurnRunner(this.#desk, turnId, scope, driver.agent.model, request)
    this.#running.set(turnId, runner)
    driver.afterCommit(() => runner.start())
  }

  /** A turn in which the host says what a model would. */
  write(command: Extract<Command, { kind: 'write' }>): void {
    const { driver } = this
    this.#refreshTools()
    this.#setFrame()
    const turnId = driver.run.nextTurnId()
    const { scope, purpose } = command
    const model = { provider: 'host', model: driver.agent.planner.name }
    const view = { window: 0, messages: 0, digest: 0, tokens: 0 }
    driver.record({ kind: 'turn-began', turnId, scope, purpose, model, references: true, view })
    for (const [index, step] of command.blocks.entries()) {
      const block: ToolCallBlock = {
        kind: 'tool-call',
        callId: `${turnId}.${index + 1}` as CallId,
        name: step.tool,
        args: step.args,
        ...(step.alias === undefined ? {} : { alias: step.alias }),
        ...(step.replaces === undefined ? {} : { replaces: step.replaces }),
      }
      driver.record({ kind: 'block-ended', turnId, index, block })
    }
    driver.record({ kind: 'turn-ended', turnId, outcome: 'finished', usage: null })
  }

  /** Ends turns whose process is gone: what they said stays, and counts as interrupted. */
  takeUp(): void {
    for (const turnId of this.driver.run.openTurns)
      this.driver.record({ kind: 'turn-ended', turnId, outcome: 'interrupted', usage: null })
  }

  /** Stops all streams after the next commit. */
  stopAll(): void {
    for (const turn of this.#running.values()) this.driver.afterCommit(() => turn.stop())
  }

  /** Stops all streams without a word: this process gives the run up. */
  abandon(): void {
    for (const turn of this.#running.values()) turn.stop()
  }

  /** The model as turns name it: one object, as long as it is the same. */
  #modelName(): ModelName {
    const { provider, model } = this.driver.agent.model.author
    if (this.#model.model !== model || this.#model.provider !== provider) this.#model = { provider, model }
    return this.#model
  }

  #makeRoom(scope: ScopeId): void {
    const { run, agent } = this.driver
    const rewrite = roomFor(run, scope, {
      tokens: this.#ledger.tokens(scope),
      window: agent.model.contextWindow,
      shares: agent.shares,
      kept: this.#kept,
      refused: run.lastTurn(scope)?.error?.code === 'context-overflow',
    })
    if (rewrite) this.driver.record({ kind: 'view-rewritten', scope, rewrite })
  }

  #refreshTools(): void {
    const { agent, run, host } = this.driver
    const { tools } = agent
    if (tools === this.#tools) return
    this.#tools = tools
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]))
    this.#kept = new Set(tools.filter(({ keep }) => keep).map(({ name }) => name))
    const part = toolsPart(tools, host.ports.digest)
    if (tools.length > 0 && run.parts.get(TOOLS_PART)?.digest !== part.digest) this.#setPart(part)
  }

  #setFrame(): void {
    const { run, agent, host } = this.driver
    const parts = run.turns.size > 0 ? [] : frameParts(agent, host.ports.digest)
    for (const part of parts) this.#setPart(part)
  }

  #setPart(part: PartRecord): void {
    this.driver.record({ kind: 'part-set', part })
    this.#ledger.forget()
  }

  #makeDesk(): TurnDesk {
    const { driver } = this
    return {
      runId: driver.runId,
      clock: driver.host.ports.clock,
      tuning: driver.host.tuning,
      redact: driver.host.ports.redact,
      watched: () => driver.host.watched,
      deliver: (body) => driver.deliver(body),
      turnOver: (turnId) => void this.#running.delete(turnId),
      publish: (item) => driver.publish(item),
    }
  }
}
