import { type Amounts, type CallContext, type HandEvent, isTenonError, type NeedAnswer } from '@tenon/kernel'
import { cancelAtPeer } from './cancel-at-peer.js'
import { type DelegationHandle, handleJson } from './delegation-handle.js'
import { LookPace } from './look-pace.js'
import { type OpenQuestion, OpenQuestions } from './open-questions.js'
import type { Peer, PeerLink } from './peer.js'
import { isPeerError, PeerError } from './peer-error.js'
import { answerParts, needOf, questionIn } from './peer-question.js'
import { type PeerEvent, wordsOf } from './peer-task.js'
import type { PushInbox } from './push-inbox.js'
import { sendWithPatience } from './send-with-patience.js'
import { type JoinedCall, settling, spentByPeer } from './spent-by-peer.js'
import { resultOf, standingOf } from './task-result.js'
import { TaskView } from './task-view.js'
import type { OutMessage } from './wire/dialect.js'

type Events<T = void> = AsyncGenerator<HandEvent, T>
type Source = (signal: AbortSignal) => AsyncGenerator<PeerEvent>

export type DelegationOptions = {
  /** Leaves as soon as the peer has the task: somebody joins it later. */
  readonly detached?: boolean
  /** The call that gave the work away, where this one joins it. */
  readonly joins?: JoinedCall
  readonly push?: PushInbox
}

/** How a stream of the peer's was left. */
type Left = 'settled' | 'quiet' | 'broken'

/**
 * One entry of a delegation: sends the brief or the answer, or only attaches, and follows the task until it has ended,
 * asks something, or is stopped. A stream is followed while there is one, then Subscribe, then looks with a growing
 * pause; whatever breaks, a message is never sent anew.
 */
export class Delegation {
  readonly #stop = new AbortController()
  readonly #view: TaskView
  #handle: DelegationHandle | undefined
  #canSubscribe: boolean
  #seenAt: number
  readonly #questions: OpenQuestions
  readonly #pace: LookPace
  /** Where the peer knocks, if it takes our address. */
  readonly #push: PushInbox | undefined
  #leftMs: () => number = () => 0

  constructor(
    readonly peer: Peer,
    readonly link: PeerLink,
    readonly context: CallContext,
    handle: DelegationHandle | undefined,
    readonly more: DelegationOptions = {},
  ) {
    this.#handle = handle
    this.#view = new TaskView(handle?.taskId)
    this.#canSubscribe = link.card.streaming
    const { clock, limits } = peer
    this.#seenAt = clock.now()
    this.#questions = new OpenQuestions(clock)
    this.#push = link.card.pushNotifications ? more.push : undefined
    this.#pace = new LookPace(clock, limits, context, this.#push)
  }

  /** Nothing more comes. */
  get ended(): boolean {
    return this.#view.ended || this.#view.reply !== undefined
  }

  /** A new task. @throws PeerError, in doubt where the peer may have begun without telling an id */
  async *begin(message: OutMessage): Events {
    yield* this.#bounded(this.peer.limits.totalMs, () => this.#pursue((signal) => this.#send(message, signal)))
  }

  /** The task of the handle: with answers that came in since, or to see how it stands. */
  async *attach(handle: DelegationHandle, answers: readonly NeedAnswer[], messageId: string): Events {
    const { clock, limits } = this.peer
    const fresh = answers.filter(({ key }) => !handle.answered.includes(key) && handle.answering !== key)
    // While a person was asked the time stood still. However late it is, a task that has ended is looked at.
    const still = fresh.length > 0 || handle.asked !== undefined
    const left = still ? handle.leftMs : handle.leftMs - (clock.now() - handle.at)
    yield* this.#bounded(Math.max(left, limits.lookMs), () => this.#reply(handle, fresh, messageId))
  }

  async *#reply(kept: DelegationHandle, answers: readonly NeedAnswer[], messageId: string): Events {
    this.#questions.unsure = kept.answering !== undefined
    const answer = answers.at(-1)
    if (answer === undefined) {
      yield* this.#pursue(undefined)
      return
    }
    const { asked: _, ...handle } = kept
    const parts = answerParts(answer)
    if (parts === undefined) {
      yield this.#keep({ ...handle, answered: [...handle.answered, answer.key] })
      yield* this.#pursue(undefined)
      return
    }
    yield this.#keep({ ...handle, answering: answer.key })
    const { taskId, contextId } = handle
    const message: OutMessage = {
      messageId: `${messageId}-${handle.answered.length + 1}`,
      taskId,
      ...(contextId === '' ? {} : { contextId }),
      parts,
    }
    yield* this.#pursue((signal) => this.#send(message, signal))
  }

  /** Runs within the time that is left; what stops it stops the peer too, unless this process only lets go. */
  async *#bounded(leftMs: number, work: () => Events): Events {
    const { clock, name } = this.peer
    const { signal } = this.context
    const onAbort = (): void => this.#stop.abort(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const late = (): void => this.#stop.abort(new PeerError('peer-timeout', `${name} took longer than it may.`))
    const forget = clock.after(Math.max(0, Math.min(leftMs, LONGEST_TIMER_MS)), late, true)
    this.#leftMs = () => Math.max(0, leftMs - (clock.now() - began))
    const began = clock.now()
    try {
      yield* work()
    } catch (error) {
      const given = await this.#given(this.#stop.signal.aborted ? this.#stop.signal.reason : error)
      // Whoever only joined has no account of its own: what is set aside stays with the call that gave the work away.
      if (this.more.joins === undefined && (!this.link.budgets || this.#handle !== undefined))
        yield { kind: 'spent', spent: this.#spent() }
      throw given
    } finally {
      forget()
      signal.removeEventListener('abort', onAbort)
    }
  }

  async *#pursue(first: Source | undefined): Events {
    let left: Left = first === undefined ? 'broken' : yield* this.#begun(first)
    while (!this.#settled()) {
      if (this.#canSubscribe && left !== 'quiet')
        left = yield* this.#listen((signal) => this.link.wire.subscribe(this.#taskId(), signal))
      else {
        yield* this.#look()
        left = 'broken'
      }
      if (left === 'broken' && !this.#settled()) yield* this.#look()
    }
    yield* this.#conclude()
  }

  /** The answer to our message. Where it went wrong, only a peer that has a task may still be asked. */
  async *#begun(first: Source): Events<Left> {
    try {
      return yield* this.#listen(first, true)
    } catch (error) {
      if (this.#stop.signal.aborted || this.#handle === undefined || !isPeerError(error)) throw error
      if (!error.mayHaveRun && error.code !== 'peer-refused') throw error
      this.#questions.unsure = true
      return 'broken'
    }
  }

  async *#listen(source: Source, ours = false): Events<Left> {
    const leave = new AbortController()
    const { clock, limits } = this.peer
    const firstMs = ours ? Math.max(limits.sendMs, limits.quietMs) : limits.quietMs
    let forgetQuiet = clock.after(firstMs, () => leave.abort(this.#silent()), true)
    const unlink = this.#leaveOnStop(leave)
    let news = false
    try {
      for await (const event of source(leave.signal)) {
        forgetQuiet()
        forgetQuiet = clock.after(limits.quietMs, () => leave.abort(this.#silent()), true)
        news = this.#view.apply(event) || news
        yield* this.#told(ours)
        this.#stop.signal.throwIfAborted()
        if (this.#settled()) return 'settled'
      }
      if (this.#view.taskId === undefined)
        throw new PeerError('peer-protocol-error', `${this.peer.name} answered with nothing.`, { mayHaveRun: true })
      return news && ours ? 'broken' : 'quiet'
    } catch (error) {
      if (this.#stop.signal.aborted) throw this.#stop.signal.reason
      if (!isPeerError(error)) throw error
      if (error.code === 'peer-response-too-large') throw error
      if (ours && (this.#view.taskId === undefined || this.#handle?.answering !== undefined)) throw error
      if (error.code === 'peer-refused') this.#canSubscribe = false
      this.#pace.notBefore(error.retryAfterMs)
      return 'broken'
    } finally {
      forgetQuiet()
      unlink()
    }
  }

  /** Before a task has an id there is nothing to cancel: a stop gives the answer to our message a moment to come. */
  #leaveOnStop(leave: AbortController): () => void {
    const { clock, limits } = this.peer
    const { signal } = this.#stop
    let forget = (): void => undefined
    const stop = (): void => {
      const now = (): void => leave.abort(signal.reason)
      if (this.#view.taskId !== undefined || !isTenonError(signal.reason)) now()
      else forget = clock.after(limits.cancelMs / 2, now)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    return () => {
      forget()
      signal.removeEventListener('abort', stop)
    }
  }

  /** Puts the task's id into the journal as soon as there is one, and tells those who watch. */
  *#told(ours: boolean): Generator<HandEvent> {
    const { taskId, contextId, status, state } = this.#view
    if (taskId === undefined) return
    this.#seenAt = this.peer.clock.now()
    const known = this.#handle
    if (known === undefined)
      yield this.#keep({ peer: this.peer.name, taskId, contextId, leftMs: 0, at: 0, answered: [] })
    else if (known.asked !== undefined && questionIn(status) === undefined) {
      // It was settled at the peer, without a word of ours.
      const { asked, ...rest } = known
      yield { kind: 'input-withdrawn', key: asked }
      yield this.#keep(rest)
    } else if (ours && known.answering !== undefined) {
      const { answering, ...rest } = known
      yield this.#keep({ ...rest, contextId: contextId || known.contextId, answered: [...known.answered, answering] })
    }
    const words = wordsOf(status?.message?.parts ?? []).slice(0, 200)
    yield { kind: 'progress', message: `${this.peer.name}: ${state ?? 'working'}${words === '' ? '' : `: ${words}`}` }
  }

  #keep(handle: DelegationHandle): HandEvent {
    const kept = { ...handle, leftMs: this.#leftMs(), at: this.peer.clock.now() }
    this.#handle = kept
    return { kind: 'handle', handle: handleJson(kept) }
  }

  /** Looks once, after a pause; a peer that is away is waited for within its limit. */
  async *#look(): Events {
    const { clock, limits, name } = this.peer
    const { signal } = this.#stop
    await this.#pace.due(signal)
    try {
      this.#view.apply({ kind: 'task', task: await this.link.wire.get(this.#taskId(), signal) })
      yield* this.#told(false)
    } catch (error) {
      if (signal.aborted || !isPeerError(error)) throw error
      if (this.#view.ended) {
        this.#view.settleAsSeen()
        return
      }
      if (!PASSING.has(error.code)) throw inDoubt(error)
      if (clock.now() - this.#seenAt > limits.awayMs)
        throw new PeerError('peer-unavailable', `${name} took the task and has been away since.`, {
          cause: error,
          mayHaveRun: true,
        })
      this.#pace.notBefore(error.retryAfterMs)
    }
  }

  #settled(): boolean {
    if (this.#view.ended) return this.#view.whole
    if (this.more.detached === true && this.#handle !== undefined) return true
    return this.#view.reply !== undefined || this.#question() !== undefined
  }

  #question(): OpenQuestion | undefined {
    return this.#questions.of(this.#view.status, this.#handle)
  }

  *#conclude(): Generator<HandEvent> {
    const { name, trust } = this.peer
    const { joins } = this.more
    if (this.ended) {
      const result = resultOf(name, trust, this.#view)
      yield joins === undefined
        ? { ...result, spent: this.#spent() }
        : settling(result, this.peer, this.link, this.#view, joins)
      return
    }
    const asked = this.#question()
    if (asked === undefined || (asked.question.kind === 'question' && this.peer.config.questions === 'agent')) {
      const standing = standingOf(name, trust, this.#view, asked?.question)
      yield joins === undefined ? { ...standing, goesOn: true } : standing
      return
    }
    const { answering, ...handle } = this.#known()
    const lost = answering !== undefined
    const answered = lost ? [...handle.answered, answering] : handle.answered
    yield this.#keep({ ...handle, answered, asked: asked.key })
    const note = lost ? 'Your answer may not have arrived. ' : ''
    yield { kind: 'needs-input', needs: [needOf(name, asked.question, asked.key, note)] }
  }

  #spent(): Amounts {
    return spentByPeer(this.peer, this.link, this.#view, this.context.budget)
  }

  #silent(): PeerError {
    return new PeerError('peer-unavailable', `${this.peer.name} said nothing any more.`, { mayHaveRun: true })
  }

  #send(message: OutMessage, signal: AbortSignal): AsyncGenerator<PeerEvent> {
    const { wire, card } = this.link
    const { runId, callId } = this.context
    const push = this.#push?.target(runId, callId)
    const wish = push === undefined ? { message } : { message, push }
    return sendWithPatience(wire, wish, card.streaming, this.peer, signal)
  }

  #taskId(): string {
    return this.#known().taskId
  }

  #known(): DelegationHandle {
    if (this.#handle !== undefined) return this.#handle
    throw new PeerError('peer-protocol-error', `${this.peer.name} told nothing of a task.`, { mayHaveRun: true })
  }

  /** What is thrown in the end. A call that is stopped stops the task at the peer; a process that lets go does not. */
  async #given(error: unknown): Promise<unknown> {
    const stops = this.#stop.signal.aborted || isPeerError(error, 'peer-response-too-large')
    if (!stops || !isTenonError(error) || this.#handle === undefined || this.#view.ended) return error
    const { stopped, task } = await cancelAtPeer(this.peer, this.link, this.#handle.taskId)
    if (task !== undefined) this.#view.apply({ kind: 'task', task })
    if (!isPeerError(error, 'peer-timeout')) return error
    const told = stopped ? 'It was told to stop, and did.' : 'It was told to stop and did not say that it did.'
    return new PeerError('peer-timeout', `${error.message} ${told}`, { cause: error })
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A look that ends so may end otherwise the next time. */
const PASSING: ReadonlySet<string> = new Set(['peer-unavailable', 'peer-protocol-error'])

/** The peer has the task, and we shall not hear what comes of it. */
const inDoubt = (error: PeerError): PeerError =>
  error.mayHaveRun || error.code === 'peer-response-too-large'
    ? error
    : new PeerError(error.code, error.message, { cause: error, mayHaveRun: true })
