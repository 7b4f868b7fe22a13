import {
  ContextId,
  type Engine,
  type InboxItem,
  isJsonObject,
  isTenonError,
  messageIdOf,
  type RequestId,
  RunId,
  type RunStateName,
  sortableId,
} from '@tenon/kernel'
import type { Store } from '@tenon/store'
import { BUDGET_EXTENSION, type Budget, readBudget } from '../budget/budget-extension.js'
import { A2AError } from '../errors.js'
import { frameOf, goalOf } from '../mapping/message-mapping.js'
import { type KeptBytes, mediaTypeOf } from '../mapping/part-blocks.js'
import { type AnswerNote, TaskFold } from '../mapping/task-fold.js'
import { isInterrupted, runState } from '../mapping/task-state.js'
import type { WireMessage, WireTask } from '../mapping/wire-types.js'
import type { PushDesk } from '../push/push-desk.js'
import { answerValue } from './answer-value.js'
import { type Caller, principalOf, replyPrincipalOf } from './caller.js'
import { contextMemory } from './context-memory.js'
import type { ExposedAgent } from './exposed-agent.js'
import { invalid } from './invalid-field.js'
import { keptBytes } from './kept-bytes.js'
import type { GetRequest, ListRequest, SendRequest } from './requests.js'
import { sendDigest } from './send-digest.js'
import { sendMark } from './send-mark.js'
import { loadFold, type PlacedEvent, taskEvents } from './task-events.js'

export type TaskPorts = {
  readonly engine: Engine
  readonly store: Pick<Store, 'journal' | 'runs' | 'changed' | 'sendKeys' | 'artifacts' | 'inbox'>
  readonly push: PushDesk
}

export type SendOptions = {
  /** The caller's name for this request: repeated with it, it makes no second task. */
  readonly key?: string
  /** The protocol version that webhooks of this request are spoken to in. */
  readonly version: '1.0' | '0.3'
  /** Aborted when the caller has gone; the task goes on. */
  readonly signal: AbortSignal
}

export type TaskList = {
  readonly tasks: readonly WireTask[]
  readonly nextPageToken: string
  readonly pageSize: number
  readonly totalSize: number
}

type Sent = { readonly fold: TaskFold; readonly asked: ReadonlySet<RequestId>; readonly isReply: boolean }

/** The operations of A2A 1.0 on one agent, over runs. What it throws is an A2AError. */
export class TaskService {
  readonly push: PushDesk
  readonly #kept: KeptBytes

  constructor(
    readonly exposed: ExposedAgent,
    readonly ports: TaskPorts,
  ) {
    this.push = ports.push
    this.#kept = keptBytes(ports.store.artifacts)
  }

  async send(
    caller: Caller,
    request: SendRequest,
    options: SendOptions,
  ): Promise<{ task: WireTask } | { message: WireMessage }> {
    const { fold, asked, isReply } = await this.#take(caller, request, options)
    // Short tasks are over by now: one look at the journal saves following it.
    this.#catchUp(fold)
    const { historyLength = this.exposed.limits.history, returnImmediately } = request.configuration ?? {}
    if (isReply) return { message: await this.#reply(fold, options.signal) }
    if (returnImmediately !== true) await this.#settle(fold, asked, options.signal)
    return { task: fold.task({ historyLength }) }
  }

  /** The task first, then what happens to it; a message alone where the agent answers by one. */
  async *stream(caller: Caller, request: SendRequest, options: SendOptions): AsyncGenerator<PlacedEvent> {
    this.#requireStreaming()
    const { fold, isReply } = await this.#take(caller, request, options)
    // A stream begins where its task does.
    if (fold.seq === 0) this.#catchUp(fold, 1)
    if (isReply) {
      yield { seq: fold.seq, part: 0, event: { message: await this.#reply(fold, options.signal) } }
      return
    }
    yield* this.#follow(fold, options.signal)
  }

  /**
   * The task as it is, then what happens to it. With `after`, the place that an earlier stream came to, what came after
   * that and nothing twice. @throws A2AError `a2a-unsupported-operation` for a task that has ended
   */
  async *subscribe(
    caller: Caller,
    id: string,
    options: { readonly signal: AbortSignal; readonly after?: { readonly seq: number; readonly part: number } },
  ): AsyncGenerator<PlacedEvent> {
    this.#requireStreaming()
    const fold = await this.#find(caller, id)
    const { after, signal } = options
    if (after === undefined) {
      if (fold.ended) throw unsupported('The task has ended; there is nothing to subscribe to. Get it instead.')
      yield* this.#follow(fold, signal)
      return
    }
    yield* this.#since(fold.runId, after, signal)
  }

  async get(caller: Caller, request: GetRequest): Promise<WireTask> {
    const fold = await this.#find(caller, request.id)
    return this.#shown(fold, { historyLength: request.historyLength ?? this.exposed.limits.history })
  }

  list(caller: Caller, request: ListRequest): TaskList {
    const pageSize = request.pageSize ?? DEFAULT_PAGE
    const { journal, changed } = this.ports.store
    const page = this.#readable(() =>
      changed.page({
        principal: principalOf(caller),
        agent: this.exposed.agent,
        limit: pageSize,
        ...(request.contextId ? { contextId: ContextId(request.contextId) } : {}),
        ...(request.status ? { state: stateOf(request.status) } : {}),
        ...(request.statusTimestampAfter ? { since: Date.parse(request.statusTimestampAfter) } : {}),
        ...(request.pageToken ? { before: request.pageToken } : {}),
      }),
    )
    const tasks = page.runs.map(({ runId, changedAt }) =>
      TaskFold.of(runId, journal.load(runId), this.#kept).task({
        historyLength: request.historyLength ?? 0,
        artifacts: request.includeArtifacts === true,
        changedAt,
      }),
    )
    return { tasks, nextPageToken: page.older ?? '', pageSize, totalSize: page.total }
  }

  async cancel(caller: Caller, id: string, signal: AbortSignal): Promise<WireTask> {
    const fold = await this.#find(caller, id)
    if (fold.ended) {
      if (fold.state === 'TASK_STATE_CANCELED') return this.#shown(fold, {})
      throw new A2AError('a2a-task-not-cancelable', 'The task has ended already.')
    }
    await this.ports.engine.cancel(fold.runId, 'The caller canceled the task.', principalOf(caller))
    for await (const _ of taskEvents(this.#source, fold, signal)) if (fold.ended) break
    if (fold.ended && fold.state !== 'TASK_STATE_CANCELED')
      throw new A2AError('a2a-task-not-cancelable', 'The task ended before it could be canceled.')
    return this.#shown(fold, {})
  }

  /** The run of a task that this caller may see. @throws A2AError `a2a-task-not-found` for any other */
  runOf(caller: Caller, id: string): RunId {
    const run = this.ports.store.runs.get(RunId(id))
    const isMine =
      run?.principal === principalOf(caller) && run.agent === this.exposed.agent && run.parent === undefined
    if (run === undefined || !isMine) throw new A2AError('a2a-task-not-found', 'There is no such task.')
    return run.runId
  }

  /** Where the run's journal ends. */
  lastSeq(runId: RunId): number {
    return this.ports.store.journal.load(runId).at(-1)?.seq ?? 0
  }

  get #source() {
    return { engine: this.ports.engine, journal: this.ports.store.journal, kept: this.#kept }
  }

  async #find(caller: Caller, id: string): Promise<TaskFold> {
    return loadFold(this.#source, this.runOf(caller, id))
  }

  #shown(fold: TaskFold, options: Parameters<TaskFold['task']>[0]): WireTask {
    const changedAt = this.ports.store.runs.get(fold.runId)?.changedAt
    return fold.task({ ...options, ...(changedAt === undefined ? {} : { changedAt }) })
  }

  /** Takes a message in: a new run, an answer, or a word to a run at work. */
  async #take(caller: Caller, request: SendRequest, options: SendOptions): Promise<Sent> {
    const { message, configuration } = request
    this.#checkMessage(message)
    const config = configuration?.taskPushNotificationConfig
    if (config !== undefined) this.push.check(config)
    if (message.taskId) return this.#continue(caller, message.taskId, request, options)
    return this.#begin(caller, request, options)
  }

  async #begin(caller: Caller, request: SendRequest, options: SendOptions): Promise<Sent> {
    const { message, configuration } = request
    const { agent, limits } = this.exposed
    const principal = principalOf(caller)
    const budget = this.#budgetOf(message)
    const rejected = this.exposed.rejects?.(message, caller)
    const isReply = rejected === undefined && this.exposed.answers?.(message) === 'message'
    const runId = this.#claim(principal, RunId(`run_${sortableId()}`), request, options.key)
    const isThere = options.key !== undefined && this.ports.store.journal.load(runId, 0, 1).length > 0
    if (!isThere) {
      if (this.ports.store.changed.open(principal) >= limits.openTasks)
        throw new A2AError(
          'a2a-too-many-tasks',
          `At most ${limits.openTasks} tasks may be open at once; end some first.`,
        )
      const config = configuration?.taskPushNotificationConfig
      // Before the run is made: whatever happens then, its webhook is known, and a repeated request adds no second one.
      if (config !== undefined) this.push.put(runId, { ...config, id: config.id || runId }, options.version, 0)
      const contextId = message.contextId || undefined
      const memory =
        contextId === undefined ? undefined : contextMemory(this.ports.store, { principal, agent, contextId })
      await this.ports.engine.submit({
        runId,
        agent,
        goal: goalOf(message, caller.owner, memory),
        principal: isReply ? replyPrincipalOf(caller) : principal,
        ...(contextId === undefined ? {} : { contextId: ContextId(contextId) }),
        ...(rejected === undefined ? {} : { rejected }),
        ...(budget === undefined ? {} : { budget }),
        ...(budget?.deadline === undefined ? {} : { deadline: budget.deadline }),
        metadata: {
          ...this.exposed.metadata?.(textOf(message)),
          a2a: {
            acceptedOutputModes: configuration?.acceptedOutputModes ?? [],
            ...(budget === undefined ? {} : { tellsSpending: true }),
          },
        },
      })
    }
    return { fold: new TaskFold(runId, this.#kept), asked: NONE, isReply }
  }

  async #continue(caller: Caller, taskId: string, request: SendRequest, options: SendOptions): Promise<Sent> {
    const { message, configuration } = request
    const fold = await this.#find(caller, taskId)
    if (message.contextId && message.contextId !== fold.run.submission.contextId)
      throw invalid('message.contextId', 'is not the context of the task')
    const config = configuration?.taskPushNotificationConfig
    const principal = principalOf(caller)
    this.#claim(principal, fold.runId, request, options.key)
    const mark = options.key === undefined ? undefined : sendMark(principal, options.key)
    const before = mark === undefined ? undefined : this.#handedBefore(fold, mark)
    if (before !== undefined) return { fold, asked: before, isReply: false }
    if (fold.ended) throw unsupported('The task has ended; start a new one in the same context.')
    // Under a name of its message, so that a repeated request adds no second one.
    if (config !== undefined)
      this.push.put(fold.runId, { ...config, ...(config.id || !mark ? {} : { id: mark }) }, options.version, fold.seq)
    const asked = await this.#hand(caller, fold, message, mark)
    return { fold, asked, isReply: false }
  }

  /** What a message with this mark answers, where the run has it or is about to; undefined where it has not. */
  #handedBefore(fold: TaskFold, mark: string): ReadonlySet<RequestId> | undefined {
    // What is on its way before what has arrived: between the two a message is never in neither.
    const waiting = this.ports.store.inbox.peek(fold.runId).find((item) => isMarked(item, mark))
    this.#catchUp(fold)
    if (waiting !== undefined) return waiting.kind === 'answer' ? new Set([waiting.requestId]) : NONE
    const answered = fold.marked(mark)
    return answered && new Set(answered)
  }

  /** Gives the message to the run: to the question that it waits on, else as a word to the run. */
  async #hand(
    caller: Caller,
    fold: TaskFold,
    message: WireMessage,
    mark: string | undefined,
  ): Promise<ReadonlySet<RequestId>> {
    const by = principalOf(caller)
    const [open] = fold.requests
    try {
      if (open !== undefined && isInterrupted(fold.state)) {
        const note: AnswerNote = { message: frameOf(message), parts: message.parts, ...(mark ? { mark } : {}) }
        await this.ports.engine.answer(fold.runId, open.requestId, answerValue(open, message), by, {
          a2a: JSON.parse(JSON.stringify(note)),
        })
        return new Set([open.requestId])
      }
      if (this.exposed.whileWorking === 'refuse')
        throw unsupported('The task is at work and takes no messages meanwhile. Wait for it, or cancel it.')
      await this.ports.engine.tell(fold.runId, goalOf(message, caller.owner), by, mark)
      return NONE
    } catch (error) {
      // Another process may have been quicker with the very same message.
      const before = mark === undefined ? undefined : this.#handedBefore(fold, mark)
      if (before !== undefined) return before
      throw toldOfEngine(error)
    }
  }

  /** Waits until the caller's answer was taken and the task is over, or waits for its caller again. */
  async #settle(fold: TaskFold, asked: ReadonlySet<RequestId>, signal: AbortSignal): Promise<void> {
    const isThere = (): boolean =>
      fold.ended || (isInterrupted(fold.state) && [...asked].every((requestId) => fold.wasAnswered(requestId)))
    if (isThere()) return
    for await (const _ of taskEvents(this.#source, fold, signal)) if (isThere()) return
  }

  async #reply(fold: TaskFold, signal: AbortSignal): Promise<WireMessage> {
    await this.#settle(fold, NONE, signal)
    if (fold.state === 'TASK_STATE_COMPLETED') return fold.reply()
    if (!fold.ended) await this.ports.engine.cancel(fold.runId, 'It asked, where only an answer was wanted.')
    throw new A2AError('a2a-internal', 'The agent had no answer to this message.')
  }

  async *#follow(fold: TaskFold, signal: AbortSignal): AsyncGenerator<PlacedEvent> {
    yield { seq: fold.seq, part: 0, event: { task: fold.task({ historyLength: this.exposed.limits.history }) } }
    yield* taskEvents(this.#source, fold, signal)
  }

  async *#since(
    runId: RunId,
    after: { readonly seq: number; readonly part: number },
    signal: AbortSignal,
  ): AsyncGenerator<PlacedEvent> {
    const fold = new TaskFold(runId, this.#kept)
    this.#catchUp(fold, 1)
    for await (const placed of taskEvents(this.#source, fold, signal))
      if (placed.seq > after.seq || (placed.seq === after.seq && placed.part > after.part)) yield placed
  }

  /** Takes in what the journal has more, or the first events of it. */
  #catchUp(fold: TaskFold, most?: number): void {
    for (const event of this.ports.store.journal.load(fold.runId, fold.seq, most)) fold.apply(event)
  }

  #claim(owner: string, runId: RunId, request: SendRequest, key: string | undefined): RunId {
    if (key === undefined) return runId
    const digest = sendDigest(request)
    const claimed = this.ports.store.sendKeys.claim(owner, key, { runId, digest })
    if (claimed.digest !== digest) throw invalid('Idempotency-Key', 'was used for another message')
    return claimed.runId
  }

  #checkMessage({ parts, contextId }: WireMessage): void {
    const { inputModes, limits } = this.exposed
    if (parts.length > limits.parts) throw invalid('message.parts', `has more than ${limits.parts} parts`)
    if (contextId !== undefined && contextId.length > MAX_ID) throw invalid('message.contextId', 'is too long')
    if (inputModes === undefined) return
    for (const part of parts) {
      const type = mediaTypeOf(part)
      if (!inputModes.includes(type) && !inputModes.includes(`${type.split('/')[0]}/*`))
        throw new A2AError(
          'a2a-content-type-not-supported',
          `Parts may be ${inputModes.join(', ')}; one is ${type.slice(0, 100)}.`,
        )
    }
  }

  /** What the caller lets the work use, where this agent keeps to budgets; it stays within the agent's own limits. */
  #budgetOf({ metadata }: WireMessage): Budget | undefined {
    const { extensions = [] } = this.exposed.capabilities
    return extensions.some(({ uri }) => uri === BUDGET_EXTENSION) ? readBudget(metadata) : undefined
  }

  #requireStreaming(): void {
    if (!this.exposed.capabilities.streaming) throw unsupported('This agent does not stream. Send, and get the task.')
  }

  #readable<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (isTenonError(error) && error.code === 'cursor-invalid')
        throw invalid('pageToken', 'is not one that was given out')
      throw error
    }
  }
}

const DEFAULT_PAGE = 50
const MAX_ID = 256
const NONE: ReadonlySet<RequestId> = new Set()

const textOf = ({ parts }: WireMessage): string =>
  parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')

const isMarked = (item: InboxItem, mark: string): boolean =>
  item.kind === 'answer'
    ? isJsonObject(item.metadata?.a2a) && item.metadata.a2a.mark === mark
    : item.id === messageIdOf(mark)

const unsupported = (message: string): A2AError => new A2AError('a2a-unsupported-operation', message)

function stateOf(status: string): RunStateName {
  const state = runState(status)
  if (state === undefined) throw invalid('status', 'is no state of a task')
  return state
}

function toldOfEngine(error: unknown): unknown {
  if (!isTenonError(error)) return error
  if (error.code === 'run-ended') return unsupported('The task has ended; start a new one in the same context.')
  if (error.code === 'request-unknown')
    return unsupported('The question was answered already. Get the task to see where it is.')
  if (error.code === 'answer-invalid')
    return invalid('message', 'does not answer the question in the shape that was asked for')
  return error
}
