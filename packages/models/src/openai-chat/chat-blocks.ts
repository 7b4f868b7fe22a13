import type { JsonObject, MediaBlock, ModelBlock } from '@tenon/kernel'
import type { AnswerContext, AnswerState } from '../wire/answer-state.js'
import { callBlock } from '../wire/call-draft.js'
import { wellFormed } from '../wire/well-formed.js'
import type { ChatPiece, ReasoningSource } from './chat-pieces.js'
import { detailSeal, detailText } from './reasoning-details.js'
import { splitThought } from './think-tags.js'

export type FinishedPiece = { readonly piece: ChatPiece; readonly block: ModelBlock }

/**
 * The blocks that the pieces of an answer are in the end, empty ones left out. `cutShort`: the turn ended before its
 * time, so that its last call may not have arrived whole.
 */
export function chatBlocks(
  pieces: readonly ChatPiece[],
  cutShort: boolean,
  state: AnswerState,
  context: AnswerContext,
): FinishedPiece[] {
  const { author } = context
  const counting = reasoningThatCounts(pieces, state)
  const firstText = pieces.find((piece) => piece.kind === 'text')
  const lastCall = pieces.findLast((piece) => piece.kind === 'call')
  const clean = (text: string): string => {
    const mended = wellFormed(text)
    if (mended !== text) state.report('lone-surrogate')
    return mended
  }
  const reasoning = (text: string, raw: JsonObject): ModelBlock[] =>
    text === '' ? [] : [{ kind: 'reasoning', text, seal: 'none', author, raw }]

  const entriesOf = entriesByPiece(pieces)

  const blocksOf = (piece: ChatPiece): ModelBlock[] => {
    switch (piece.kind) {
      case 'call':
        return [callBlock(piece.draft, cutShort && piece === lastCall, state, context)]
      case 'audio':
        return [{ ...audioBlock(piece), author }]
      case 'refusal':
        return [{ kind: 'text', text: clean(piece.text), refusal: true, author }]
      case 'thinking-parts':
        return reasoning(clean(piece.text), { field: 'content', parts: piece.parts })
      case 'reasoning': {
        if (piece.source !== counting) return []
        const entry = piece.detail?.entry
        if (entry === undefined) return reasoning(clean(piece.text), { field: piece.source })
        const text = clean(detailText(entry))
        const seal = detailSeal(entry)
        if (text === '' && seal === 'none') return []
        const entries = entriesOf.get(piece) ?? [entry]
        return [{ kind: 'reasoning', text, seal, author, raw: { field: piece.source, entries } }]
      }
      case 'text': {
        const split = splitThought(
          piece.text,
          piece === firstText && counting === undefined ? context.thinkTags : 'off',
        )
        for (const diagnostic of split?.diagnostics ?? []) state.report(diagnostic)
        const thought = clean(split?.thought ?? '')
        const text = clean(split?.text ?? piece.text)
        const citations = piece.citations.length > 0 ? { citations: piece.citations } : {}
        const raw = piece.extra === undefined ? {} : { raw: { extra_content: piece.extra } }
        return [
          ...reasoning(thought, { field: 'content', written: split?.written ?? '' }),
          ...(text === '' ? [] : [{ kind: 'text' as const, text, ...citations, author, ...raw }]),
        ]
      }
    }
  }
  return pieces.flatMap((piece) => blocksOf(piece).map((block) => ({ piece, block })))
}

/** The entries that each block takes back: one that shows nothing goes with the one before it, or else after it. */
function entriesByPiece(pieces: readonly ChatPiece[]): ReadonlyMap<ChatPiece, readonly JsonObject[]> {
  const taken = new Map<ChatPiece, JsonObject[]>()
  let waiting: JsonObject[] = []
  let last: JsonObject[] | undefined
  for (const piece of pieces) {
    if (piece.kind !== 'reasoning' || piece.detail === undefined) continue
    const { entry } = piece.detail
    if (detailText(entry) === '' && detailSeal(entry) === 'none') (last ?? waiting).push(entry)
    else {
      last = [...waiting, entry]
      waiting = []
      taken.set(piece, last)
    }
  }
  return taken
}

/** Details go before `reasoning_content`, that before `reasoning`; the same thought twice is told. */
function reasoningThatCounts(pieces: readonly ChatPiece[], state: AnswerState): ReasoningSource | undefined {
  const texts = new Map<ReasoningSource, string>()
  for (const piece of pieces)
    if (piece.kind === 'reasoning') texts.set(piece.source, (texts.get(piece.source) ?? '') + piece.text)
  const content = texts.get('reasoning_content')
  if (content !== undefined && content === texts.get('reasoning')) state.report('reasoning-duplicated')
  return (['reasoning_details', 'reasoning_content', 'reasoning'] as const).find((source) => texts.has(source))
}

/** Streamed sound comes as raw samples, in pieces that are encoded one by one. */
function audioBlock(piece: Extract<ChatPiece, { kind: 'audio' }>): MediaBlock {
  const [only] = piece.data
  const base64 =
    piece.data.length === 1 && only !== undefined
      ? only
      : Buffer.concat(piece.data.map((data) => Buffer.from(data, 'base64'))).toString('base64')
  const mediaType = piece.data.length > 1 ? 'audio/pcm' : 'audio/wav'
  return { kind: 'audio', mediaType, source: { kind: 'data', base64 }, raw: piece.audio }
}
