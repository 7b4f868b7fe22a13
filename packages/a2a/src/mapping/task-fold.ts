import type { InputRequest, RunEvent, RunEventOf, RunId, RunStateName } from '@tenon/kernel'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  messageIdOf,
  plainText,
  type RequestId,
  RunState,
} from '@tenon/kernel'
import { spendingMetadata } from '../budget/budget-extension.js'
import { DELIVERY, deliverableOf } from './deliverable.js'
import { failureText } from './failure-text.js'
import { type MessageFrame, messageOf } from './message-mapping.js'
import { type KeptBytes, partsOfBlocks } from './part-blocks.js'
import { isTerminal, wireState } from './task-state.js'
import type { WireArtifact, WireEvent, WireMessage, WirePart, WireStatus, WireTask } from './wire-types.js'

/** What an answer carries through the journal. */
export type AnswerNote = {
  readonly message: MessageFrame
  readonly parts: readonly WirePart[]
  /** Names the message after its caller's key. */
  readonly mark?: string
}

type OwnArtifact = Omit<WireArtifact, 'parts'> & { parts: WirePart[] }

/**
 * A run as its caller may see it: a fold over the journal into a task and its events. Plans, tools, thoughts and
 * memory never enter it; requests for approval are for those who run the agent, so a task that waits on one works on.
 */
export class TaskFold {
  readonly #run = new RunState()
  readonly #artifacts = new Map<string, OwnArtifact>()
  readonly #history: WireMessage[] = []
  readonly #answered = new Set<RequestId>()
  /** What was answered by messages that were named after their caller's key. */
  readonly #marked = new Map<string, RequestId>()
  #status: WireStatus | undefined
  #contextId = ''

  constructor(
    readonly runId: RunId,
    readonly kept?: KeptBytes,
  ) {}

  static of(runId: RunId, events: readonly RunEvent[], kept?: KeptBytes): TaskFold {
    const fold = new TaskFold(runId, kept)
    for (const event of events) fold.apply(event)
    return fold
  }

  get seq(): number {
    return this.#run.seq
  }

  get run(): RunState {
    return this.#run
  }

  /** @throws TypeError before the first event */
  get status(): WireStatus {
    if (this.#status === undefined) throw new TypeError('A task has no status before its first event.')
    return this.#status
  }

  get state(): WireStatus['state'] {
    return this.status.state
  }

  get ended(): boolean {
    return this.#status !== undefined && isTerminal(this.#status.state)
  }

  /** Requests that the caller can answer, in the order in which they were asked. */
  get requests(): readonly InputRequest[] {
    return [...this.#run.inputs.values()].filter(({ kind, forHost }) => kind !== 'approval' && forHost !== true)
  }

  wasAnswered(requestId: RequestId): boolean {
    return this.#answered.has(requestId)
  }

  /** What the message with this mark answered, if anything; undefined where none has arrived. */
  marked(mark: string): readonly RequestId[] | undefined {
    if (this.#run.received.has(messageIdOf(mark))) return []
    const answered = this.#marked.get(mark)
    return answered && [answered]
  }

  /** What the event is for the caller, in order; usually nothing. */
  apply(event: RunEvent): readonly WireEvent[] {
    this.#run.apply(event)
    if (event.kind === 'run-submitted') {
      this.#contextId = event.contextId
      this.#history.push(this.#said(event.goal, event.seq))
      this.#status = { state: 'TASK_STATE_SUBMITTED', timestamp: timeOf(event.at) }
      return [{ task: this.task() }]
    }
    const events: WireEvent[] = []
    if (event.kind === 'message-received' && event.by !== undefined)
      this.#history.push(this.#said(event.message, event.seq))
    else if (event.kind === 'input-answered') this.#noteAnswer(event)
    else if (event.kind === 'call-settled') this.#deliver(event, events)
    else if (event.kind === 'run-ended' && event.state === 'completed') this.#deliverResult(event, events)
    const state = wireState(this.#stateNow())
    if (state !== this.status.state || this.#asksAnew(event)) this.#enter(state, event, events)
    return events
  }

  /** `historyLength`: the newest so many; all if absent. */
  task(
    options: { readonly historyLength?: number; readonly artifacts?: boolean; readonly changedAt?: number } = {},
  ): WireTask {
    const { historyLength, artifacts = true, changedAt } = options
    const status = changedAt === undefined ? this.status : { ...this.status, timestamp: timeOf(changedAt) }
    const history =
      historyLength === undefined ? this.#history : historyLength === 0 ? [] : this.#history.slice(-historyLength)
    return {
      id: this.runId,
      contextId: this.#contextId,
      status,
      ...(artifacts && this.#artifacts.size > 0
        ? { artifacts: [...this.#artifacts.values()].map((artifact) => ({ ...artifact, parts: [...artifact.parts] })) }
        : {}),
      ...(history.length > 0 ? { history: [...history] } : {}),
      ...this.#spending(),
    }
  }

  /** What a run said that is answered by a message and no task. */
  reply(): WireMessage {
    return {
      ...this.#agentSaid(partsOfBlocks(this.#run.ended?.blocks ?? [], this.kept), this.#run.seq),
      ...this.#spending(),
    }
  }

  /** For whoever gave the task a budget; what it used is nobody else's business. */
  #spending(): { readonly metadata?: JsonObject } {
    const { submission, totals } = this.#run
    const about = submission.metadata?.a2a
    if (!isJsonObject(about) || about.tellsSpending !== true) return {}
    return { metadata: spendingMetadata({ tokens: totals.tokens, money: totals.cost }) }
  }

  #stateNow(): RunStateName {
    const { ended } = this.#run
    if (ended) return ended.state
    const open = this.requests
    if (open.length > 0 && this.#run.idle)
      return open.some((request) => request.kind === 'question') ? 'input-required' : 'auth-required'
    return this.#run.turns.size === 0 ? 'submitted' : 'working'
  }

  /** The task went from one question straight to the next. */
  #asksAnew(event: RunEvent): boolean {
    if (event.kind !== 'input-requested' || this.status.message === undefined) return false
    const first = this.requests[0]
    return first !== undefined && this.status.message.messageId !== questionId(this.runId, first)
  }

  #enter(state: WireStatus['state'], event: RunEvent, events: WireEvent[]): void {
    const message = this.#statusMessage(state, event)
    const before = this.#status?.message
    if (before !== undefined && !this.#history.some(({ messageId }) => messageId === before.messageId))
      this.#history.push(before)
    this.#status = { state, ...(message === undefined ? {} : { message }), timestamp: timeOf(event.at) }
    if (event.kind === 'input-answered') this.#putAnswerLast()
    const { status } = this
    const told = isTerminal(state) ? this.#spending() : {}
    events.push({ statusUpdate: { taskId: this.runId, contextId: this.#contextId, status, ...told } })
  }

  #statusMessage(state: WireStatus['state'], event: RunEvent): WireMessage | undefined {
    const first = this.requests[0]
    if (first !== undefined && (state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED'))
      return { ...this.#agentSaid([{ text: first.prompt }], event.seq), messageId: questionId(this.runId, first) }
    if (event.kind !== 'run-ended') return undefined
    if (event.state === 'failed') return this.#agentSaid([{ text: failureText(event) }], event.seq)
    if (event.state === 'rejected')
      return this.#agentSaid([{ text: plainText(event.blocks) || 'The agent does not take this task.' }], event.seq)
    return undefined
  }

  #noteAnswer(event: RunEventOf<'input-answered'>): void {
    this.#answered.add(event.requestId)
    const note = event.metadata?.a2a
    if (!isNote(note)) return
    const { message, parts, mark } = note
    if (mark !== undefined) this.#marked.set(mark, event.requestId)
    this.#history.push({ ...message, role: 'ROLE_USER', taskId: this.runId, contextId: this.#contextId, parts })
  }

  /** A question enters the history when it is left, which is when its answer comes: the answer belongs behind it. */
  #putAnswerLast(): void {
    const [answer, question] = this.#history.slice(-2)
    if (answer?.role !== 'ROLE_USER' || question?.role !== 'ROLE_AGENT') return
    this.#history.splice(-2, 2, question, answer)
  }

  #deliver(event: RunEventOf<'call-settled'>, events: WireEvent[]): void {
    if (event.outcome !== 'finished') return
    const { origin } = this.#run.call(event.callId).proposal
    if (origin?.kind !== DELIVERY.kind || origin.name !== DELIVERY.name) return
    const deliverable = deliverableOf(event.value ?? this.#keptValue(event.valueArtifact))
    if (deliverable === undefined) return
    const { artifact, append, lastChunk } = deliverable
    const known = this.#artifacts.get(artifact.artifactId)
    const isMore = append && known !== undefined
    if (isMore) known.parts.push(...artifact.parts)
    else this.#artifacts.set(artifact.artifactId, { ...artifact, parts: [...artifact.parts] })
    events.push({
      artifactUpdate: {
        taskId: this.runId,
        contextId: this.#contextId,
        artifact,
        ...(isMore ? { append: true } : {}),
        ...(lastChunk ? { lastChunk: true } : {}),
      },
    })
  }

  /** What was too large for the journal lies outside of it. */
  #keptValue(artifactId: string | undefined): Json | undefined {
    const bytes = artifactId === undefined ? undefined : this.kept?.(artifactId)
    return bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(bytes)) as Json)
  }

  #deliverResult(event: RunEventOf<'run-ended'>, events: WireEvent[]): void {
    const parts = event.output === undefined ? partsOfBlocks(event.blocks, this.kept) : [{ data: event.output }]
    if (parts.length === 0) return
    const artifact = { artifactId: 'result', name: 'result', parts }
    this.#artifacts.set(artifact.artifactId, { ...artifact, parts: [...parts] })
    events.push({ artifactUpdate: { taskId: this.runId, contextId: this.#contextId, artifact, lastChunk: true } })
  }

  #said(message: Parameters<typeof messageOf>[0], seq: number): WireMessage {
    return messageOf(message, { taskId: this.runId, contextId: this.#contextId, fallbackId: `${this.runId}/${seq}` })
  }

  #agentSaid(parts: readonly WirePart[], seq: number): WireMessage {
    return {
      messageId: `${this.runId}/${seq}`,
      role: 'ROLE_AGENT',
      taskId: this.runId,
      contextId: this.#contextId,
      parts,
    }
  }
}

const timeOf = (at: number): string => new Date(at).toISOString()

const questionId = (runId: RunId, request: InputRequest): string => `${runId}/${request.requestId}`

function isNote(value: Json | undefined): value is Json & AnswerNote {
  return isJsonObject(value) && isJsonObject(value.message) && Array.isArray(value.parts)
}
