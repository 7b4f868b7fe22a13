import {
  type Engine,
  type InputRequest,
  type LiveItem,
  ROOT_SCOPE,
  type RunEvent,
  type RunEventOf,
  type RunState,
  type TurnId,
} from '@tenon/kernel'
import { resultText } from '../../host/result-text.js'
import { begun } from './begun.js'
import type { Ear, Overheard } from './ear.js'
import type { SegmentRecord } from './segment-record.js'
import type { Segment } from './take-input.js'

/**
 * What a run says to its user, in the order in which it is said. `seq` is the last event of the journal before it, or
 * the one that it comes from; `live` says that no event holds it yet.
 */
export type Speech = { readonly seq: number; readonly live: boolean } & (
  | { readonly kind: 'text-began' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'text-ended'; readonly whole: string }
  /** What was said of a text since it began does not count: the model broke off, and may begin anew. */
  | { readonly kind: 'text-dropped' }
  /** The run rests until these are answered. */
  | { readonly kind: 'asked'; readonly requests: readonly InputRequest[] }
  | { readonly kind: 'ended'; readonly event: RunEventOf<'run-ended'> }
)

export type SpeechOptions = {
  readonly signal: AbortSignal
  /** What it says on the way is no part of a typed result. */
  readonly resultOnly: boolean
  /** What was listened to since before the run was begun or moved on. */
  readonly ear?: Ear
}

/** The text that is being said: what was heard of it live, and what of that was passed on. */
type OpenText = { readonly turnId: TurnId; heard: string; told: string; hasBegun: boolean }

/** How long until the journal is looked at again for an answer that another process has to take. Milliseconds. */
const LOOK_AGAIN_MS = 100

/** Ends after the run has ended or rests; without either when `signal` is aborted. */
export async function* runSpeech(
  engine: Engine,
  { runId, after, answered }: Segment,
  { signal, resultOnly, ear }: SpeechOptions,
): AsyncGenerator<Speech> {
  const waiting = new Set(answered)
  const follow = (seq: number) => begun(engine.follow(runId, { after: seq, signal, untilParked: true }))
  let seq = after
  let items = follow(seq)
  // In the same breath as the following begins: nothing is missed, and nothing heard twice.
  let heard = ear?.take(runId)
  const talk = new Talk(rootTurns(await engine.state(runId)), resultOnly)
  for (;;) {
    if (heard !== undefined && seq >= heard.seq) {
      yield* talk.overheard(heard)
      heard = undefined
    }
    for await (const item of items) {
      if (item.kind === 'event') {
        seq = item.event.seq
        if (item.event.kind === 'input-answered') waiting.delete(item.event.requestId)
        yield* talk.event(item.event)
        if (item.event.kind === 'run-ended') return
        if (seq !== heard?.seq) continue
        yield* talk.overheard(heard)
        heard = undefined
      } else yield* talk.live(item, seq)
    }
    if (signal.aborted) return
    const { inputs, ended } = await engine.state(runId)
    if (waiting.size === 0 || ended !== undefined) {
      if (ended === undefined) yield { kind: 'asked', seq, live: false, requests: [...inputs.values()] }
      return
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    items = follow(seq)
  }
}

/** What was said in a part of a run that is over. */
export function pastSpeech({ events, run }: SegmentRecord, resultOnly: boolean): readonly Speech[] {
  const talk = new Talk(rootTurns(run), resultOnly)
  const said = events.flatMap((event) => talk.event(event))
  if (run.ended !== undefined) return said
  return [...said, { kind: 'asked', seq: run.seq, live: false, requests: [...run.inputs.values()] }]
}

/** What was said in events of a run, whole texts only. */
export function spokenTexts(events: readonly RunEvent[], run: RunState, resultOnly: boolean): readonly string[] {
  const talk = new Talk(rootTurns(run), resultOnly)
  return events.flatMap((event) => talk.event(event)).flatMap((said) => (said.kind === 'text-ended' ? said.whole : []))
}

const rootTurns = ({ turns }: RunState): Set<TurnId> =>
  new Set([...turns.values()].flatMap(({ turnId, scope }) => (scope === ROOT_SCOPE ? [turnId] : [])))

/** Between two texts, because clients put them behind one another. It stands at the beginning of the later one. */
export const BETWEEN = '\n\n'

/** Turns events and deltas of one run into what it says. Only turns of the run itself speak to its user. */
class Talk {
  #open: OpenText | undefined
  /** Texts of the last turn: the result repeats them. */
  #lastTurn: string[] = []
  #before = ''

  constructor(
    readonly turns: Set<TurnId>,
    readonly resultOnly: boolean,
  ) {}

  /** A text whose beginning was heard before anybody followed the run. */
  overheard({ seq, items }: Overheard): readonly Speech[] {
    return items.flatMap((item) => this.live(item, seq))
  }

  live(item: Exclude<LiveItem, { kind: 'event' }>, seq: number): readonly Speech[] {
    if (this.resultOnly || !('turnId' in item) || !this.turns.has(item.turnId)) return []
    if (item.kind === 'block-began' && item.block === 'text') {
      if (this.#open?.turnId === item.turnId) this.#open.heard = this.#before
      else this.#open = { turnId: item.turnId, heard: this.#before, told: '', hasBegun: false }
      return []
    }
    const open = this.#open
    if (open?.turnId !== item.turnId) return []
    // What was said before a new attempt stays said; the attempt is listened to until it says more.
    if (item.kind === 'retrying') open.heard = this.#before
    if (item.kind !== 'delta' || item.block !== 'text') return []
    open.heard += item.text
    if (open.heard.length <= open.told.length || !open.heard.startsWith(open.told)) return []
    return this.#tell(open, open.heard, seq, true)
  }

  event(event: RunEvent): readonly Speech[] {
    const { seq } = event
    switch (event.kind) {
      case 'turn-began':
        if (event.scope !== ROOT_SCOPE) return []
        this.turns.add(event.turnId)
        this.#lastTurn = []
        return []
      case 'block-ended': {
        if (this.resultOnly || event.block.kind !== 'text' || !this.turns.has(event.turnId)) return []
        const { text } = event.block
        if (text === '') return []
        this.#lastTurn.push(text)
        return this.#end(text, seq)
      }
      case 'turn-ended': {
        this.#open = undefined
        const isBroken = event.outcome !== 'finished' && !this.resultOnly && this.turns.has(event.turnId)
        return isBroken ? [{ kind: 'text-dropped', seq, live: false }] : []
      }
      case 'run-ended': {
        const result = resultText(event)
        const isNew = result !== '' && result !== this.#lastTurn.join('\n')
        return [...(isNew ? this.#end(result, seq) : []), { kind: 'ended', seq, live: false, event }]
      }
      default:
        return []
    }
  }

  #tell(open: OpenText, whole: string, seq: number, live: boolean): readonly Speech[] {
    const text = whole.slice(open.told.length)
    const said: Speech[] = open.hasBegun ? [] : [{ kind: 'text-began', seq, live }]
    if (text !== '') said.push({ kind: 'text', seq, live, text })
    open.hasBegun = true
    open.told = whole
    return said
  }

  /** A text is a conclusion now: what was not passed on yet follows. */
  #end(text: string, seq: number): readonly Speech[] {
    const whole = this.#before + text
    this.#before = BETWEEN
    const open = this.#open ?? { turnId: '' as TurnId, heard: '', told: '', hasBegun: false }
    this.#open = undefined
    if (whole.startsWith(open.told))
      return [...this.#tell(open, whole, seq, false), { kind: 'text-ended', seq, live: false, whole }]
    // Another attempt said something else than what was passed on of the first.
    const anew = { ...open, told: '', hasBegun: false }
    const dropped: Speech = { kind: 'text-dropped', seq, live: false }
    return [dropped, ...this.#tell(anew, whole, seq, false), { kind: 'text-ended', seq, live: false, whole }]
  }
}
