import type { Finish } from '@tenon/kernel'
import type { Diagnostic } from './diagnostic.js'

/** What providers call the end of a turn. */
const FINISH_WORDS: Readonly<Record<string, Finish>> = Object.freeze({
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  tool_use: 'tool-calls',
  length: 'length',
  model_length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content-filter',
  sensitive: 'content-filter',
  refusal: 'refusal',
  error: 'error',
  network_error: 'error',
  pause_turn: 'paused',
})

export type Ended = {
  /** The provider's word; undefined where none came. */
  readonly word: string | undefined
  readonly calls: boolean
  readonly refusal: boolean
  /** The dialect has a word for "I called tools", so that another word beside calls is an irregularity. */
  readonly wordForCalls: boolean
}

/** The end of a turn that did end, with its word set right by what the turn holds. */
export function finishOf(ended: Ended, report: (diagnostic: Diagnostic) => void): Finish {
  const known = ended.word !== undefined && Object.hasOwn(FINISH_WORDS, ended.word)
  if (ended.word === undefined) report('finish-missing')
  else if (!known) report('finish-unknown')
  let finish: Finish = known ? (FINISH_WORDS[ended.word ?? ''] ?? 'stop') : 'stop'
  const corrected = (to: Finish): Finish => {
    if (known && ended.wordForCalls) report('finish-corrected')
    return to
  }
  if (finish === 'stop' && ended.calls) finish = corrected('tool-calls')
  else if (finish === 'tool-calls' && !ended.calls) finish = corrected('stop')
  return finish === 'stop' && ended.refusal ? 'refusal' : finish
}
