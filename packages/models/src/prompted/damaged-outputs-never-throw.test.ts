import { expect, test } from 'vitest'
import { TOOLS } from '../../test/support/read-in-every-cut.js'
import { promptedDialects } from './dialects.js'
import { TurnParser } from './turn-parser.js'

const OUTPUTS = [
  'Thought: a\nAction: weather\nAction Input: {"city": "Oslo"}\nObservation: rain',
  '<thought>a</thought>\n<action>{"name": "weather", "arguments": {"city": "Oslo"}}</action>',
  '<action>write("a.md", "x\\n</action>")</action><observation>ok</observation>',
  'I will.\n```json\n[{"name": "look_up", "arguments": {"term": "moss"}}, {"name": "rooms", "arguments": {}}]\n```',
  '<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>',
  '<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>',
  '[weather(city="Oslo"), look_up("moss")]<|im_end|>',
]
const PIECES = [
  '\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '\\',
  '```',
  '```json\n',
  '<action>',
  '</action>',
  '</thought>',
  '<tool_call>',
]

/** Numbers that look random and are the same every time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    yield (state >>> 0) / 2 ** 32
  }
}

/** One of the outputs with pieces put in, taken out, cut off and joined to another one. */
function damaged(random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  let text = pick(OUTPUTS)
  for (let edits = 1 + Math.floor(random() * 4); edits > 0; edits--) {
    const at = Math.floor(random() * (text.length + 1))
    const kind = random()
    if (kind < 0.5) text = text.slice(0, at) + pick(PIECES) + text.slice(at)
    else if (kind < 0.7) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 6))
    else if (kind < 0.8) text = text.slice(0, at)
    else text = text.slice(0, at) + pick(OUTPUTS).slice(Math.floor(random() * 40))
  }
  return text
}

test.each(Object.values(promptedDialects))('$name: a turn always has a call, an answer or a problem', (dialect) => {
  const source = numbers(2026)
  const random = (): number => source.next().value
  for (let round = 0; round < 1_000; round++) {
    const text = damaged(random)
    const parser = new TurnParser(dialect, TOOLS)
    for (const char of text) parser.push(char)
    const turn = parser.end(round % 5 === 0 ? 'length' : 'stop')
    const outcomes = [turn.calls.length > 0, turn.answer !== null, turn.problem !== null].filter(Boolean)
    expect(outcomes.length, JSON.stringify(text)).toBe(1)
    for (const call of turn.calls) {
      if (call.kind === 'call') expect(TOOLS.map((tool) => tool.name)).toContain(call.name)
      else if (call.problem.position !== null) expect(call.problem.position).toBeLessThanOrEqual(text.length)
    }
  }
})
