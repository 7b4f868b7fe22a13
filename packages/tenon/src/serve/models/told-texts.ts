import { createHash } from 'node:crypto'
import { principalOf } from '@tenon/a2a'
import { type RunId, RunState } from '@tenon/kernel'
import type { Host } from '../../host/host.js'
import { resultText } from '../../host/result-text.js'
import type { Caller } from '../gate.js'
import { askedText } from './asked-text.js'

const MOST = 10_000
/** Runs that are looked through for a text of before this process. */
const LOOKED_THROUGH = 30

/**
 * Which run a text was the answer of. A chat sends its history with each request and no id: what the assistant is said
 * to have said last is not believed, but known again, and only among the caller's own runs.
 */
export class ToldTexts {
  readonly #runs = new Map<string, RunId>()

  constructor(readonly host: Pick<Host, 'store'>) {}

  note(caller: Caller, agent: string, runId: RunId, text: string): void {
    const key = keyOf(caller, agent, text)
    // The last one is the one that is gone on with.
    this.#runs.delete(key)
    this.#runs.set(key, runId)
    if (this.#runs.size > MOST) for (const oldest of this.#runs.keys()) if (this.#runs.delete(oldest)) break
  }

  find(caller: Caller, agent: string, text: string): RunId | undefined {
    const known = this.#runs.get(keyOf(caller, agent, text))
    if (known !== undefined || text.trim() === '') return known
    const { runs, journal } = this.host.store
    const filter = { principal: principalOf(caller), agent, parent: null, limit: LOOKED_THROUGH }
    return runs.list(filter).runs.find(({ runId }) => endsSo(text, RunState.of(journal.load(runId))))?.runId
  }
}

/** Whether a text that a client was told ends with what the run says now; in a stream more stands before it. */
export function endsSo(text: string, run: RunState): boolean {
  const last = lastText(run)
  return last !== '' && (text === last || text.endsWith(`\n\n${last}`))
}

/** What a client was told last of a run: its result, or what it asks. */
export function lastText(run: RunState): string {
  if (run.ended !== undefined) return resultText(run.ended)
  const [asked] = run.inputs.values()
  return asked === undefined ? '' : askedText(run, asked)
}

const keyOf = (caller: Caller, agent: string, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([principalOf(caller), agent, text]))
    .digest('base64url')
