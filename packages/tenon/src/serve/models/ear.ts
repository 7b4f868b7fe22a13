import { type Engine, isPromise, type LiveItem, type RunId } from '@tenon/kernel'

type Heard = Exclude<LiveItem, { kind: 'event' }>

/** Items that are kept; past it the beginning of a text is only known once the text is over. */
const MOST = 5_000

/** What is heard of a text that nobody else has noted: it follows the event with this seq. */
export type Overheard = { readonly seq: number; readonly items: readonly Heard[] }

const NOTHING: Overheard = { seq: 0, items: [] }

/**
 * Listens from before a run is begun, because a text may begin before anybody can follow its run: deltas are kept
 * nowhere, and whoever misses the first one cannot say the others.
 */
export class Ear {
  #items: Heard[] = []
  readonly #stop: () => void

  constructor(readonly engine: Engine) {
    this.#stop = engine.subscribe((item) => {
      if (item.kind !== 'event' && this.#items.length < MOST) this.#items.push(item)
    })
  }

  /** The text that the run is saying just now, as far as it was heard; from now on nothing more is. */
  take(runId: RunId): Overheard {
    this.close()
    const run = this.engine.state(runId)
    if (isPromise(run) || this.#items.length >= MOST) return NOTHING
    const items = this.#items.filter((item) => item.runId === runId)
    const began = items.findLastIndex((item) => item.kind === 'block-began' && item.block === 'text')
    const first = items[began]
    if (first?.kind !== 'block-began') return NOTHING
    const turn = run.turns.get(first.turnId)
    const begun = items.filter(
      (item) => item.kind === 'block-began' && item.block === 'text' && item.turnId === first.turnId,
    ).length
    const ended = turn?.blocks.filter(({ kind }) => kind === 'text').length ?? 0
    return turn?.outcome === 'open' && begun > ended ? { seq: run.seq, items: items.slice(began) } : NOTHING
  }

  close(): void {
    this.#stop()
  }
}
