import { type Clock, isTenonError, type RunEvent, type RunId, systemClock } from '@tenon/kernel'
import { ALL_PARTS, type PushPlace, type PushTarget, type Store } from '@tenon/store'
import type { CardSigner } from '../cards/card-signer.js'
import { A2AError } from '../errors.js'
import type { KeptBytes } from '../mapping/part-blocks.js'
import { TaskFold } from '../mapping/task-fold.js'
import { isTerminal } from '../mapping/task-state.js'
import type { WireEvent } from '../mapping/wire-types.js'
import { Door } from '../net/door.js'
import { task03 } from '../server/v0-3/from-current.js'
import { keptBytes } from '../tasks/kept-bytes.js'
import type { PushBody } from './push-desk.js'
import type { SecretSeal } from './secret-seal.js'

export type PushSenderOptions = {
  readonly store: Pick<Store, 'journal' | 'pushes' | 'leases' | 'holder' | 'artifacts'>
  readonly seal: SecretSeal
  readonly allowed: readonly string[]
  readonly clock?: Clock
  /** Milliseconds that a webhook has to answer; 15,000 if absent (specification, section 4.3.3: 10 to 30 s). */
  readonly timeoutMs?: number
  /** Attempts at one delivery before it is given up; 12 if absent, which is about a day. */
  readonly attempts?: number
  /** The first wait between two attempts; doubled each time, with jitter, at most an hour. */
  readonly retryMs?: number
  /** Deliveries to one host that may be under way at once. */
  readonly perHost?: number
  /** Signs each body, in the header `a2a-signature`: JWS with the payload left out, with the time in `iat`. */
  readonly signer?: CardSigner
  /** Told of each delivery that is given up. */
  readonly report?: (error: unknown) => void
}

const LOOK_MS = 100
const LEASE_MS = 60_000
/** A webhook may ask for more time than we would take by ourselves, but not for ever. */
const LONGEST_ASKED_MS = 24 * 3_600_000
const LONGEST_WAIT_MS = 3_600_000
const FOLDS = 500

/**
 * Tells webhooks what happens to their tasks. The journal is the outbox and each webhook a cursor over it: deliveries
 * come in order, at least once, and go on where they were after any process died. Of several processes over one store
 * one at a time serves a webhook.
 */
export class PushSender {
  readonly #door: Door
  readonly #clock: Clock
  readonly #kept: KeptBytes
  readonly #busy = new Map<string, Promise<void>>()
  readonly #hosts = new Map<string, number>()
  /** Tasks at work, so that telling the next event does not read the whole journal again. */
  readonly #folds = new Map<string, TaskFold>()
  readonly #stop = new AbortController()
  #next: (() => void) | undefined

  constructor(readonly options: PushSenderOptions) {
    this.#clock = options.clock ?? systemClock
    this.#kept = keptBytes(options.store.artifacts)
    this.#door = new Door('The webhook', options.allowed, this.#clock)
  }

  start(): void {
    this.#next ??= this.#clock.after(
      LOOK_MS,
      () => {
        this.#next = undefined
        if (this.#stop.signal.aborted) return
        try {
          this.#look()
        } catch (error) {
          // Such as a store that is locked just now: what is due stays due.
          this.options.report?.(error)
        }
        this.start()
      },
      true,
    )
  }

  /** What is under way is given up; it is told again later. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#next?.()
    await Promise.all(this.#busy.values())
    await this.#door.close()
  }

  #look(): void {
    const { store, perHost = 4 } = this.options
    for (const target of store.pushes.due(this.#clock.now(), 100)) {
      const name = nameOf(target)
      const onHost = this.#hosts.get(target.host) ?? 0
      if (this.#busy.has(name) || onHost >= perHost) continue
      if (!store.leases.acquire(name as RunId, store.holder, LEASE_MS)) continue
      this.#hosts.set(target.host, onHost + 1)
      const done = this.#serve(target, name)
        .finally(() => {
          this.#busy.delete(name)
          this.#hosts.set(target.host, (this.#hosts.get(target.host) ?? 1) - 1)
          store.leases.release(name as RunId, store.holder)
        })
        .catch((error: unknown) => this.options.report?.(error))
      this.#busy.set(name, done)
    }
  }

  /** Tells the target everything that it has not been told, until something fails. */
  async #serve(target: PushTarget, name: string): Promise<void> {
    const { runId, id } = target
    const { pushes, leases, holder } = this.options.store
    const body = JSON.parse(target.body) as PushBody
    let { attempts } = target
    for (const { place, event, fold } of this.#untold(target)) {
      const failure = await this.#tell(body, event, fold)
      if (this.#stop.signal.aborted) return
      if (failure !== undefined) {
        this.#failed(target, place, attempts + 1, failure)
        return
      }
      attempts = 0
      leases.acquire(name as RunId, holder, LEASE_MS)
      pushes.advance(runId, id, place, endsTask(event))
    }
    const fold = this.#folds.get(name)
    if (fold === undefined) return
    pushes.advance(runId, id, { seq: fold.seq, part: ALL_PARTS }, fold.ended)
    if (fold.ended) this.#folds.delete(name)
  }

  #failed(target: PushTarget, place: PushPlace, attempts: number, failure: Failure): void {
    const { store, attempts: most = 12, retryMs = 500 } = this.options
    const { runId, id } = target
    this.#folds.delete(nameOf(target))
    if (failure.isFinal || attempts >= most) {
      store.pushes.bury(runId, id, place, failure.reason)
      const what = `A webhook of ${runId} on ${target.host} was given up: ${failure.reason}.`
      this.options.report?.(
        new A2AError('a2a-webhook-given-up', `${what} tenon a2a dead-letters lists what it was not told.`),
      )
      return
    }
    const wait = Math.min(LONGEST_WAIT_MS, retryMs * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
    store.pushes.defer(runId, id, this.#clock.now() + Math.round(Math.max(wait, failure.retryAfterMs ?? 0)))
  }

  /** Events after the target's place, each with the task as it was then. */
  *#untold(target: PushTarget): Generator<Delivery> {
    const name = nameOf(target)
    let fold = this.#folds.get(name)
    if (fold === undefined || fold.seq > target.seq || target.part < ALL_PARTS)
      fold = new TaskFold(target.runId, this.#kept)
    this.#folds.set(name, fold)
    if (this.#folds.size > FOLDS) for (const oldest of this.#folds.keys()) if (this.#folds.delete(oldest)) break
    for (const { seq, event, part, isLast } of wireEvents(
      this.options.store.journal.load(target.runId, fold.seq),
      fold,
    ))
      if (seq > target.seq || (seq === target.seq && part > target.part))
        yield { place: { seq, part: isLast ? ALL_PARTS : part }, event, fold }
  }

  /**
   * Tries a delivery again that was given up. It leaves the list once the webhook took it and not before, so that a
   * process that dies meanwhile loses nothing; and where its webhook or its task is gone, so that nobody can be told.
   */
  async replay(number: number): Promise<'told' | 'not-told' | 'gone'> {
    const { pushes, journal } = this.options.store
    const dead = pushes.dead().find((one) => one.number === number)
    const target = dead && pushes.get(dead.runId, dead.target)
    const fold = dead && new TaskFold(dead.runId, this.#kept)
    if (dead !== undefined && target !== undefined && fold !== undefined)
      for (const { seq, event, part, isLast } of wireEvents(journal.load(dead.runId), fold)) {
        if (seq !== dead.seq || (isLast ? ALL_PARTS : part) !== dead.part) continue
        const failure = await this.#tell(JSON.parse(target.body) as PushBody, event, fold)
        if (failure !== undefined) pushes.rebury(dead, failure.reason)
        pushes.takeDead(number)
        return failure === undefined ? 'told' : 'not-told'
      }
    pushes.takeDead(number)
    return 'gone'
  }

  async #tell(body: PushBody, event: WireEvent, fold: TaskFold): Promise<Failure | undefined> {
    const { timeoutMs = 15_000, seal, signer } = this.options
    const text = JSON.stringify(body.version === '0.3' ? task03(fold.task()) : event)
    try {
      const response = await this.#door.open({
        method: 'POST',
        url: body.url,
        headers: {
          'content-type': body.version === '0.3' ? 'application/json' : 'application/a2a+json',
          ...(body.token === undefined ? {} : { 'x-a2a-notification-token': seal.open(body.token) }),
          ...(body.credentials === undefined
            ? {}
            : { authorization: `${body.scheme ?? 'Bearer'} ${seal.open(body.credentials)}` }),
          ...(signer === undefined ? {} : { 'a2a-signature': signer.detached(text, this.#clock.now()) }),
        },
        body: text,
        signal: this.#stop.signal,
        withinMs: timeoutMs,
      })
      response.close()
      if (response.status >= 200 && response.status < 300) return undefined
      const retryAfter = Number(response.header('retry-after'))
      return {
        reason: `HTTP ${response.status}`,
        isFinal: response.status === 410,
        ...(Number.isFinite(retryAfter) ? { retryAfterMs: Math.min(retryAfter * 1_000, LONGEST_ASKED_MS) } : {}),
      }
    } catch (error) {
      const code = isTenonError(error) ? error.code : 'a2a-internal'
      return { reason: code, isFinal: code === 'peer-address-forbidden' }
    }
  }
}

type Failure = { readonly reason: string; readonly isFinal: boolean; readonly retryAfterMs?: number }

type Delivery = { readonly place: PushPlace; readonly event: WireEvent; readonly fold: TaskFold }

type WirePlace = { readonly seq: number; readonly part: number; readonly isLast: boolean; readonly event: WireEvent }

/** What journal events are for the caller, as `fold` takes them in. */
function* wireEvents(events: readonly RunEvent[], fold: TaskFold): Generator<WirePlace> {
  for (const journalled of events) {
    const found = fold.apply(journalled)
    for (const [part, event] of found.entries())
      yield { seq: journalled.seq, part, isLast: part === found.length - 1, event }
  }
}

const nameOf = ({ runId, id }: PushTarget): string => `push:${runId}:${id}`

const endsTask = (event: WireEvent): boolean => 'statusUpdate' in event && isTerminal(event.statusUpdate.status.state)
