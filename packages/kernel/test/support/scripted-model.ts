import type { ModelBlock } from '../../src/content/block.js'
import type { JsonObject } from '../../src/content/json.js'
import type { ErrorRecord } from '../../src/errors/error-table.js'
import type { Finish, Model, ModelEvent, ModelRequest, Usage } from '../../src/ports/model.js'

export const AUTHOR = Object.freeze({ provider: 'script', model: 'script-1', dialect: 'script' })

export const USAGE: Usage = Object.freeze({ input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: null })

export const say = (said: string): ModelBlock => ({ kind: 'text', text: said, author: AUTHOR })

let calls = 0
export const callTool = (name: string, args: JsonObject = {}, alias = `call_${++calls}`): ModelBlock => ({
  kind: 'tool-call',
  name,
  args,
  argsText: JSON.stringify(args),
  alias,
  author: AUTHOR,
})

/** What one turn says: blocks, or blocks with how it ends, or a stream of its own. */
export type Line =
  | readonly ModelBlock[]
  | {
      readonly blocks: readonly ModelBlock[]
      readonly finish: Finish
      readonly error?: ErrorRecord
      readonly usage?: Usage | null
    }
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>)

export type ScriptedModel = Model & { readonly requests: readonly ModelRequest[] }

/**
 * Says its lines one after the other; `next` may also choose by what it is shown. What it was shown is kept as it was
 * at that moment, because the history it is given goes on growing.
 */
export function scriptedModel(
  next: readonly Line[] | ((request: ModelRequest, turn: number) => Line),
  more: Partial<Model> = {},
): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    author: AUTHOR,
    contextWindow: 100_000,
    ...more,
    requests,
    generate(request, { signal }) {
      requests.push({ ...request, messages: [...request.messages] })
      const line = typeof next === 'function' ? next(request, requests.length) : next[requests.length - 1]
      if (line === undefined) throw new Error(`The script has no line for turn ${requests.length}.`)
      return typeof line === 'function' ? line(request, signal) : spoken(line)
    },
  }
}

function* spoken(line: Exclude<Line, (...args: never) => unknown>): Generator<ModelEvent> {
  const turn = 'blocks' in line ? line : undefined
  const blocks = turn ? turn.blocks : (line as readonly ModelBlock[])
  for (const [index, block] of blocks.entries()) yield { kind: 'block-ended', index, block }
  const finish = turn?.finish ?? (blocks.some((block) => block.kind === 'tool-call') ? 'tool-calls' : 'stop')
  yield {
    kind: 'finished',
    finish,
    usage: turn?.usage === undefined ? USAGE : turn.usage,
    diagnostics: [],
    ...(turn?.error ? { error: turn.error } : {}),
  }
}
