import type {
  Author,
  Json,
  JsonObject,
  Model,
  ModelBlock,
  ModelContext,
  ModelEvent,
  ModelRequest,
  Usage,
} from '@tenon/kernel'
import { blockTokens, errorRecord, estimateTokens, messageTokens } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import { fillTemplate, fillText } from './fill-template.js'
import { type Mismatch, matchScene } from './match-scene.js'
import type { Rehearsal, Scene } from './rehearsal.js'
import { type Shown, shownBy } from './shown.js'

const AUTHOR: Author = Object.freeze({ provider: 'rehearsal', model: 'rehearsal', dialect: 'rehearsal' })

const FREE = Object.freeze({ input: 0, output: 0 })

export const REHEARSAL_DISCLAIMER = 'A written rehearsal is playing: no language model is at work.'

/**
 * A model that plays a written script. The first scene whose conditions hold for what the request shows is the one
 * that plays; nothing is counted or remembered, so it goes on after a restart where it was. When no scene fits, the
 * turn ends with the error `rehearsal-departed`, which names the nearest scene and what it missed.
 */
export function rehearsalModel(rehearsal: Rehearsal): Model {
  return {
    author: AUTHOR,
    contextWindow: 1_000_000,
    prices: rehearsal.prices ?? FREE,
    disclaimer: REHEARSAL_DISCLAIMER,
    generate: (request, context) => play(rehearsal, request, context),
  }
}

async function* play(rehearsal: Rehearsal, request: ModelRequest, context: ModelContext): AsyncGenerator<ModelEvent> {
  const chosen = chooseScene(rehearsal, shownBy(request))
  if (chosen instanceof ModelsError) {
    yield { kind: 'finished', finish: 'error', usage: null, error: errorRecord(chosen), diagnostics: [] }
    return
  }
  const pace = chosen.scene.pace ?? rehearsal.pace
  const blocks = linesOf(chosen.scene, chosen.values)
  for (const [index, block] of blocks.entries()) {
    yield block.kind === 'tool-call'
      ? { kind: 'block-began', index, block: block.kind, name: block.name }
      : { kind: 'block-began', index, block: block.kind }
    for (const piece of piecesOf(block)) {
      if (pace !== undefined) await pause((estimateTokens(piece) / pace) * 1000, context.signal)
      if (context.signal.aborted) return
      yield { kind: 'delta', index, text: piece }
    }
    yield { kind: 'block-ended', index, block }
  }
  const calls = blocks.some((block) => block.kind === 'tool-call')
  yield {
    kind: 'finished',
    finish: calls ? 'tool-calls' : 'stop',
    usage: usageOf(request, blocks),
    diagnostics: ['usage-estimated'],
  }
}

function chooseScene(
  rehearsal: Rehearsal,
  shown: Shown,
): { readonly scene: Scene; readonly values: ReadonlyMap<string, Json> } | ModelsError {
  let nearest: { readonly scene: Scene; readonly mismatches: readonly Mismatch[] } | undefined
  for (const [index, scene] of rehearsal.scenes.entries()) {
    const { mismatches, values } = matchScene(scene, shown)
    if (mismatches.length === 0) {
      const missing = scene.say.calls.find((call) => !shown.tools.includes(call.tool))
      if (missing === undefined) return { scene, values }
      const expected = `${missing.tool} is offered`
      const offered = shown.tools.join(', ') || 'none'
      return departed(rehearsal, scene, [{ condition: 'say.calls', expected, shown: offered }])
    }
    const fewer = nearest === undefined || mismatches.length < nearest.mismatches.length
    const due = index === shown.turns && mismatches.length === nearest?.mismatches.length
    if (fewer || due) nearest = { scene, mismatches }
  }
  return departed(rehearsal, nearest?.scene, nearest?.mismatches ?? [])
}

function departed(rehearsal: Rehearsal, scene: Scene | undefined, mismatches: readonly Mismatch[]): ModelsError {
  const reasons = mismatches.map((miss) => `${miss.condition} wants ${miss.expected}, shown was ${miss.shown}`)
  return new ModelsError(
    'rehearsal-departed',
    `The run departed from the rehearsal "${rehearsal.title}": no scene fits what was shown. ` +
      `Nearest is the scene "${scene?.name ?? ''}": ${reasons.join('; ')}. ` +
      'Write a scene for it, or use a language model (`tenon doctor` lists the ways).',
    {
      detail: { rehearsal: rehearsal.title, scene: scene?.name ?? null, mismatches: mismatches.map((m) => ({ ...m })) },
    },
  )
}

function linesOf(scene: Scene, values: ReadonlyMap<string, Json>): ModelBlock[] {
  const { say } = scene
  const blocks: ModelBlock[] = []
  if (say.reasoning !== undefined)
    blocks.push({ kind: 'reasoning', text: fillText(say.reasoning, values), seal: 'none', author: AUTHOR })
  if (say.text !== undefined) blocks.push({ kind: 'text', text: fillText(say.text, values), author: AUTHOR })
  if (say.json !== undefined)
    blocks.push({ kind: 'text', text: JSON.stringify(fillTemplate(say.json, values)), author: AUTHOR })
  for (const call of say.calls) {
    const args = fillTemplate(call.args, values) as JsonObject
    blocks.push({ kind: 'tool-call', name: call.tool, args, argsText: JSON.stringify(args), author: AUTHOR })
  }
  return blocks
}

/** A word with the white space that follows it is as near to a token as a script gets. */
function piecesOf(block: ModelBlock): readonly string[] {
  if (block.kind === 'text' || block.kind === 'reasoning') return block.text.match(/\S+\s*|\s+/g) ?? []
  return block.kind === 'tool-call' ? [block.argsText ?? ''] : []
}

function usageOf(request: ModelRequest, blocks: readonly ModelBlock[]): Usage {
  let input = 0
  for (const block of request.system) input += blockTokens(block)
  for (const message of request.messages) input += messageTokens(message)
  for (const tool of request.tools) input += estimateTokens(JSON.stringify(tool))
  let output = 0
  let reasoning = 0
  for (const block of blocks)
    for (const piece of [piecesOf(block).join('')]) {
      output += estimateTokens(piece)
      if (block.kind === 'reasoning') reasoning += estimateTokens(piece)
    }
  return { input, cachedInput: 0, cacheWrite: 0, output, reasoning }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
