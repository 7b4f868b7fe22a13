import type { ToolCallBlock } from '../content/block.js'
import type { CallId, ScopeId } from '../content/ids.js'
import type { CallState, StepState, TurnState } from './call-state.js'
import { referencedNames } from './references.js'

/** Steps of a scope that may go, and those whose dependency did not finish. */
type Waiting = { readonly ready: Set<CallId>; readonly blocked: Set<CallId> }

/** What the graph looks up of the run that it belongs to. */
type Around = { readonly calls: ReadonlyMap<CallId, CallState>; scope(scope: ScopeId): Waiting }

/** The steps of a run and what each waits for. It keeps the sets of ready and blocked steps of every scope. */
export class StepGraph {
  readonly all = new Map<CallId, StepState>()
  /** Names of steps in turns whose calls may refer to each other; a later turn may use a name again. */
  readonly #aliases = new Map<string, CallId>()
  readonly #run: Around

  constructor(run: Around) {
    this.#run = run
  }

  /** A step by the name that its plan gave it, or by its call id. */
  named(name: string): StepState | undefined {
    return this.all.get(this.#aliases.get(name) ?? (name as CallId))
  }

  add(turn: TurnState, block: ToolCallBlock): void {
    const { callId } = block
    const step: StepState = {
      callId,
      block,
      turnId: turn.turnId,
      scope: turn.scope,
      refs: NONE,
      waiting: 0,
      blockedBy: undefined,
      unknownRef: undefined,
      dependents: NONE,
    }
    this.all.set(callId, step)
    if (turn.references) {
      this.#link(step)
      if (block.alias !== undefined) this.#aliases.set(block.alias, callId)
    }
    this.#place(step)
  }

  /** Lets go of the steps that waited for a call. */
  settled(callId: CallId, finished: boolean): void {
    const step = this.all.get(callId)
    if (step === undefined || step.dependents.length === 0) return
    for (const dependent of step.dependents) {
      const waiting = this.all.get(dependent)
      if (waiting === undefined) continue
      waiting.waiting--
      if (!finished) waiting.blockedBy ??= callId
      if (!this.#run.calls.has(dependent)) this.#place(waiting)
    }
  }

  #link(step: StepState): void {
    for (const name of referencedNames(step.block.args)) {
      const dependency = this.named(name)
      if (!dependency || dependency === step) {
        step.unknownRef ??= name
        continue
      }
      step.refs = [...step.refs, dependency.callId]
      const call = this.#run.calls.get(dependency.callId)
      if (call?.phase === 'settled') {
        if (call.outcome !== 'finished') step.blockedBy ??= dependency.callId
      } else {
        step.waiting++
        if (dependency.dependents.length === 0) dependency.dependents = [step.callId]
        else dependency.dependents.push(step.callId)
      }
    }
  }

  #place(step: StepState): void {
    const scope = this.#run.scope(step.scope)
    if (step.blockedBy !== undefined || step.unknownRef !== undefined) scope.blocked.add(step.callId)
    else if (step.waiting === 0) scope.ready.add(step.callId)
  }
}

/** Shared by all steps that refer to nothing; replaced before anything is added. */
const NONE = Object.freeze([]) as unknown as CallId[]
