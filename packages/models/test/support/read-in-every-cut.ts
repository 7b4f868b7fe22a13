import type { Finish, JsonObject, ToolDefinition } from '@tenon/kernel'
import { expect } from 'vitest'
import { textCuts } from '../../src/cases/text-cuts.js'
import { promptedDialects } from '../../src/prompted/dialects.js'
import type { ReadTurn } from '../../src/prompted/read-turn.js'
import { TurnParser } from '../../src/prompted/turn-parser.js'

const fields = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const text = { type: 'string' }

/** The tools that the tests of all dialects offer. */
export const TOOLS: readonly ToolDefinition[] = Object.entries({
  weather: fields({ city: text, unit: { enum: ['c', 'f'] }, days: { type: 'integer' } }, ['city']),
  look_up: fields({ term: text }, ['term']),
  rooms: fields({}),
  write: fields({ path: text, content: text }, ['path', 'content']),
  count: fields({ n: { type: 'integer' } }, ['n']),
  send: fields({ to: fields({ name: text }), note: text }, ['to']),
}).map(([name, input]) => ({ name, description: '', input }))

/** A turn in few words: absent parts are left out, calls that go back are `code@position`. */
export type Told = {
  readonly calls?: readonly (readonly [name: string, args: JsonObject] | string)[]
  readonly thought?: string
  readonly answer?: string
  readonly discarded?: string
  readonly problem?: string
  readonly told?: readonly string[]
}

/**
 * Reads an output in every kind of cut; all must come to the same, no delta may say what the turn does not, and where
 * generation could stop, what was there by then must come to the same.
 */
export function readInEveryCut(name: keyof typeof promptedDialects, output: string, finish: Finish = 'stop'): Told {
  const turns = textCuts(output).map((chunks) => {
    const parser = new TurnParser(promptedDialects[name], TOOLS)
    const said = { reasoning: '', text: '' }
    let enough: number | undefined
    for (const [index, chunk] of chunks.entries()) {
      for (const delta of parser.push(chunk)) said[delta.block] += delta.text
      if (parser.done) enough ??= index + 1
    }
    const turn = parser.end(finish)
    if (enough !== undefined) expect(keptOf(read(name, chunks.slice(0, enough)))).toEqual(keptOf(turn))
    expect(turn.thought ?? '', 'thought').toContain(said.reasoning)
    // Text before a call is said openly and is thought all the same.
    expect([turn.answer, turn.thought].join('\n'), 'answer').toContain(said.text)
    return turn
  })
  const [first] = turns
  if (first === undefined) throw new Error('no cut')
  for (const turn of turns) expect(turn).toEqual(first)
  return told(first)
}

function read(name: keyof typeof promptedDialects, chunks: readonly string[]): ReadTurn {
  const parser = new TurnParser(promptedDialects[name], TOOLS)
  for (const chunk of chunks) parser.push(chunk)
  return parser.end('stop')
}

const keptOf = ({ calls, thought, answer }: ReadTurn) => ({ calls, thought, answer })

function told(turn: ReadTurn): Told {
  const calls = turn.calls.map((call) =>
    call.kind === 'call' ? ([call.name, call.args] as const) : `${call.problem.code}@${call.problem.position}`,
  )
  const repairs = turn.calls.flatMap((call) => (call.kind === 'call' ? call.repairs : []))
  const words = [...new Set<string>([...turn.diagnostics, ...turn.repairs, ...repairs])].sort()
  return {
    ...(calls.length > 0 ? { calls } : {}),
    ...(turn.thought === null ? {} : { thought: turn.thought }),
    ...(turn.answer === null ? {} : { answer: turn.answer }),
    ...(turn.discarded === null ? {} : { discarded: turn.discarded }),
    ...(turn.problem === null ? {} : { problem: `${turn.problem.code}@${turn.problem.position}` }),
    ...(words.length > 0 ? { told: words } : {}),
  }
}
