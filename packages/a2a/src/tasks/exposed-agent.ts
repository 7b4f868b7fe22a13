import type { JsonObject } from '@tenon/kernel'
import type { AgentCapabilities, AgentFacts } from '../cards/agent-facts.js'
import type { WireMessage } from '../mapping/wire-types.js'
import type { Caller } from './caller.js'

/** An agent of the engine that is offered to others, and on what terms. */
export type ExposedAgent = {
  /** Its name in the engine. */
  readonly agent: string
  readonly facts: AgentFacts
  readonly capabilities: AgentCapabilities
  /** Media types that parts of a message may have; anything if absent. */
  readonly inputModes?: readonly string[]
  readonly outputModes: readonly string[]
  /** What becomes of a message to a task at work: it steers the run, or it is refused. */
  readonly whileWorking: 'queue' | 'refuse'
  /** Why this agent does not take a task; undefined where it does. The task is rejected before any work. */
  readonly rejects?: (message: WireMessage, caller: Caller) => string | undefined
  /** Whether a message is answered by a task, which is the rule, or by a message, for what is over at once. */
  readonly answers?: (message: WireMessage) => 'task' | 'message'
  /** Tenants that callers may name; none if absent. */
  readonly tenants?: readonly string[]
  readonly limits: TaskLimits
  /** What a run keeps for its host; `goal` is the text of the message that began it. */
  readonly metadata?: (goal: string) => JsonObject
}

export type TaskLimits = {
  /** Tasks of one owner that have not ended. */
  readonly openTasks: number
  /** Parts of one message. */
  readonly parts: number
  /** Messages of a history that are given where the caller names no number. */
  readonly history: number
}

export const TASK_LIMITS: TaskLimits = Object.freeze({ openTasks: 1_000, parts: 100, history: 100 })
