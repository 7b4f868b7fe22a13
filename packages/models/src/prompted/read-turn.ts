import type { ArgumentProblem, JsonObject, Repair } from '@tenon/kernel'
import { argumentProblem, canonicalJson, sortedRepairs } from '@tenon/kernel'

/** What a dialect reports about a turn that is no repair of a call. */
export type TurnDiagnostic =
  | 'invented-observation'
  | 'extra-action'
  | 'final-answer-with-call'
  | 'text-after-call'
  | 'text-after-answer'
  | 'thought-unlabelled'
  | 'label-variant'
  | 'plain-answer'
  | 'plain-input'
  | 'no-action'
  | 'unclosed-tag'
  | 'think-block'
  | 'native-markers'
  | 'repeated-call'

/** A call as read from a turn; one with a problem goes back to the model. `written` is its text in the turn. */
export type ReadCall =
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: JsonObject
      readonly repairs: readonly Repair[]
      readonly written: string
    }
  | { readonly kind: 'broken'; readonly name: string; readonly problem: ArgumentProblem; readonly written: string }

/** One output of a model, read whole. Text is trimmed; absent parts are null. */
export type ReadTurn = {
  readonly thought: string | null
  /** The end of the thought that was said openly before a call; null where the dialect marks its thoughts. */
  readonly said: string | null
  readonly answer: string | null
  readonly calls: readonly ReadCall[]
  /** Why there is neither a call nor an answer. The message is for the model. */
  readonly problem: ArgumentProblem | null
  /** What must reach neither the view nor the user. */
  readonly discarded: string | null
  /** Repairs of the text around the calls. */
  readonly repairs: readonly Repair[]
  readonly diagnostics: readonly TurnDiagnostic[]
}

/** A turn while it is being read. */
export type TurnDraft = {
  readonly text: string
  readonly thoughts: string[]
  readonly calls: ReadCall[]
  readonly repairs: Set<Repair>
  readonly diagnostics: Set<TurnDiagnostic>
  said: string | null
  answer: string | null
  problem: ArgumentProblem | null
  discarded: string | null
}

export function turnDraft(text: string): TurnDraft {
  return {
    text,
    thoughts: [],
    calls: [],
    repairs: new Set(),
    diagnostics: new Set(),
    said: null,
    answer: null,
    problem: null,
    discarded: null,
  }
}

/** Adds a part of the thought; true where there was any text. */
export function addThought(draft: TurnDraft, from: number, to: number): boolean {
  const part = draft.text.slice(from, to).trim()
  if (part !== '') draft.thoughts.push(part)
  return part !== ''
}

/** The words that a dialect uses for its two ways on, as an error tells them. */
export type TurnWords = { readonly action: string; readonly answer: string; readonly form: string }

/** Ends the reading: a turn without call and answer gets its problem, equal calls are reported. */
export function readTurn(draft: TurnDraft, words: TurnWords): ReadTurn {
  const thought = draft.thoughts.length === 0 ? null : draft.thoughts.join('\n')
  const answer = draft.answer === '' ? null : draft.answer
  let { problem } = draft
  if (draft.calls.length === 0 && answer === null && problem === null) {
    problem =
      thought === null
        ? argumentProblem('empty-output', null, `The output was empty. Write ${words.action} or ${words.answer}`)
        : argumentProblem(
            'thought-only',
            null,
            `The output held a thought and nothing else. Go on with ${words.action}, or end with ${words.answer}`,
          )
  }
  const seen = new Set<string>()
  for (const call of draft.calls) {
    if (call.kind !== 'call') continue
    const key = canonicalJson([call.name, call.args])
    if (seen.has(key)) draft.diagnostics.add('repeated-call')
    seen.add(key)
  }
  const useful = answer !== null || draft.calls.some((call) => call.kind === 'call')
  return {
    thought,
    said: draft.said,
    answer,
    calls: draft.calls,
    problem,
    discarded: draft.discarded === '' ? null : draft.discarded,
    // What goes back as a whole was not repaired.
    repairs: useful ? sortedRepairs(draft.repairs) : [],
    diagnostics: [...draft.diagnostics].sort(),
  }
}
