import { expect, test } from 'vitest'
import { readInEveryCut, type Told } from '../../../test/support/read-in-every-cut.js'

const call = (name: string, args: object): string => JSON.stringify({ name, arguments: args })
const MOSS = call('look_up', { term: 'moss' })
const OSLO = call('weather', { city: 'Oslo' })
const moss = ['look_up', { term: 'moss' }] as const
const oslo = ['weather', { city: 'Oslo' }] as const
const NATIVE = ['native-markers']

test.each<[output: string, turn: Told]>([
  ['', { problem: 'empty-output@null' }],
  ['<think>x</think>', { thought: 'x', problem: 'thought-only@null', told: ['think-block'] }],
  [MOSS, { calls: [moss] }],
  [`${MOSS}\n\n${OSLO}`, { calls: [moss, oslo] }],
  [`\`\`\`json\n${MOSS}\n\`\`\`\n\`\`\`json\n${OSLO}\n\`\`\``, { calls: [moss, oslo] }],
  [`\`\`\`tool_call\n${MOSS}`, { calls: [moss] }],
  [`\`\`\`python\nprint(1)\n\`\`\`\n${MOSS}`, { calls: [moss], thought: '```python\nprint(1)\n```' }],
  [`\`\`\`python\n${MOSS}\n\`\`\``, { answer: `\`\`\`python\n${MOSS}\n\`\`\`` }],
  [`Like this:\n${MOSS}\nor so.`, { answer: `Like this:\n${MOSS}\nor so.` }],
  [`Like this:\n${MOSS}\nNow:\n${OSLO}`, { calls: [oslo], thought: `Like this:\n${MOSS}\nNow:` }],
  [`Inline ${MOSS}`, { answer: `Inline ${MOSS}` }],
  [`[${MOSS}, ${OSLO},]`, { calls: [moss, oslo], told: ['trailing-comma'] }],
  [`[${MOSS}, ${OSLO}`, { calls: ['truncated-output@95'] }],
  [`[${MOSS}, {"name": "weather", "arguments": {"city": Essen}}, ${OSLO}]`, { calls: [moss, 'invalid-json@91', oslo] }],
  [
    `[${MOSS}, {"name": "write", "arguments": {"path": "a", "content": "say "x"}}, ${OSLO}]`,
    { calls: [moss, 'invalid-json@111'] },
  ],
  [`[${MOSS}, 5]`, { calls: [moss, 'malformed-call@49'] }],
  ['[1, 2, 3]', { answer: '[1, 2, 3]' }],
  ['[{"name": "Ida"}, {"name": "Bo"}]', { answer: '[{"name": "Ida"}, {"name": "Bo"}]' }],
  ['{"name": "nope", "arguments": {"term": "a', { answer: '{"name": "nope", "arguments": {"term": "a' }],
  ['{"name": "look_up", "arguments": {"term": "a', { calls: ['truncated-output@44'] }],
  [
    '{"name": "look_up", "arguments": {"term": "a"}',
    { calls: [['look_up', { term: 'a' }]], told: ['missing-closers'] },
  ],
  ['{"name": "weather", "arguments": {"city": "a"', { calls: ['truncated-output@45'] }],
  [`${MOSS}}}`, { calls: [moss], told: ['surplus-closers'] }],
  [`${MOSS}<|im_end|>`, { calls: [moss], told: ['template-tokens'] }],
  ["{name: 'look_up', arguments: {term: 'moss'}}", { calls: [moss], told: ['single-quotes', 'unquoted-keys'] }],
  [
    '{"tool": "look_up", "input": {"term": "x"}, "thought": "y"}',
    { answer: '{"tool": "look_up", "input": {"term": "x"}, "thought": "y"}' },
  ],
  ['{"function": "look_up", "args": {"term": "moss"}, "id": "1", "index": 0}', { calls: [moss] }],
  ['{"name": "rooms", "arguments": null}', { calls: [['rooms', {}]], told: ['empty-arguments'] }],
  ['{"name": "Look-Up", "arguments": {"term": "moss"}}', { calls: [moss], told: ['name-normalised'] }],
  ['{"action": "Final Answer", "action_input": "hi"}', { answer: 'hi' }],
  ['{"final_answer": "hi"}\nbye', { answer: 'hi', discarded: 'bye', told: ['text-after-answer'] }],
  ['Sure:\n{"final_answer": "hi"}', { thought: 'Sure:', answer: 'hi' }],
  ['{"final_answer": 3}', { answer: '{"final_answer": 3}' }],
  [
    `${MOSS}\n{"final_answer": "hi"}`,
    { calls: [moss], discarded: '{"final_answer": "hi"}', told: ['final-answer-with-call'] },
  ],
  [`${MOSS}\nObservation: hi`, { calls: [moss], discarded: 'Observation: hi', told: ['invented-observation'] }],
  [`${MOSS}\n</tool_call>`, { calls: [moss], told: NATIVE }],
  [
    `a <tool_call>${MOSS}</tool_call> b`,
    { calls: [moss], thought: 'a', discarded: 'b', told: ['native-markers', 'text-after-call'] },
  ],
  [`<tool_call>\n${MOSS}\n<tool_call>\n${OSLO}\n</tool_call>`, { calls: ['malformed-call@59', oslo], told: NATIVE }],
  [
    `<tool_call>{"name": "weather", "arguments": {"city": Essen}}</tool_call>\n<tool_call>${MOSS}</tool_call>`,
    { calls: ['invalid-json@53', moss], told: NATIVE },
  ],
  ['<tool_call>foo</tool_call>', { calls: ['malformed-call@11'], told: NATIVE }],
  ['The tag <tool_call>foo</tool_call>', { answer: 'The tag <tool_call>foo</tool_call>' }],
  [
    `text\n\`\`\`\n<tool_call>${MOSS}</tool_call>\n\`\`\`\nfoo`,
    { answer: `text\n\`\`\`\n<tool_call>${MOSS}</tool_call>\n\`\`\`\nfoo` },
  ],
  [`text\n\`\`\`\n<tool_call>${MOSS}</tool_call>\n\`\`\``, { calls: [moss], thought: 'text', told: NATIVE }],
  [`{"final_answer": "write <tool_call>{}</tool_call>"}`, { answer: 'write <tool_call>{}</tool_call>' }],
  ['<tool_call>\n<function=rooms>\n</function>\n</tool_call>', { calls: [['rooms', {}]], told: NATIVE }],
  ['<function=weather>{"city": "Oslo"}</function>', { calls: [oslo], told: NATIVE }],
  ['<function=weather>{"city": "Oslo"}', { calls: [oslo], told: ['native-markers', 'unclosed-tag'] }],
  [
    '<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n\nb\n\n</parameter>',
    { calls: [['write', { path: 'a', content: '\nb\n' }]], told: ['native-markers', 'unclosed-tag'] },
  ],
  ['<function=write>\n<parameter=path>\na\n</parameter>', { calls: ['truncated-output@48'], told: NATIVE }],
  [
    '<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nb',
    { calls: ['truncated-output@70'], told: NATIVE },
  ],
  [
    '<function=weather>\n<parameter=city>\n"Oslo"\n</parameter>\n<parameter=days>\nfive\n</parameter>\n</function>',
    { calls: ['invalid-json@73'], told: NATIVE },
  ],
  [
    '<function=look_up>\n<parameter=term>\n5\n</parameter>\n<parameter=term>\n6\n</parameter>\n</function>',
    { calls: ['duplicate-key@62'], told: NATIVE },
  ],
  ['Use <function=NAME> tags.', { answer: 'Use <function=NAME> tags.' }],
  [`<|python_tag|>${MOSS}; ${OSLO}`, { calls: [moss, oslo], told: NATIVE }],
  ['<|python_tag|>print(1)', { answer: '<|python_tag|>print(1)' }],
  [`[TOOL_CALLS] [${MOSS}, ${OSLO}]`, { calls: [moss, oslo], told: NATIVE }],
  ['[TOOL_CALLS]weather{"city": "Oslo"}', { calls: [oslo], told: NATIVE }],
  ['[TOOL_CALLS]nope[ARGS]{"city": "Oslo"}', { calls: ['unknown-tool@12'], told: NATIVE }],
  [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>look_up<｜tool▁sep｜>{"term": "moss"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { calls: [oslo, moss], told: NATIVE },
  ],
  [
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">two</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    { calls: ['invalid-json@159'], told: NATIVE },
  ],
  ['[weather(city="Oslo"), look_up("moss")]', { calls: [oslo, moss], told: NATIVE }],
  ['[weather(city="Oslo"), look_up("moss")', { calls: ['truncated-output@38'], told: NATIVE }],
  ['[weather(city=Oslo)]', { calls: ['invalid-json@14'], told: NATIVE }],
  ['[link](https://example.org) and more', { answer: '[link](https://example.org) and more' }],
  ['[weather(city="Oslo")] is how you ask.', { answer: '[weather(city="Oslo")] is how you ask.' }],
  ['Straße 😀 </s>', { answer: 'Straße 😀', told: ['template-tokens'] }],
])('%j', (output, turn) => {
  expect(readInEveryCut('json', output)).toEqual(turn)
})

test.each<[output: string, turn: Told]>([
  ['{"name": "look_up", "arguments": {"term": "a"}', { calls: ['truncated-output@46'] }],
  ['<function=look_up>\n<parameter=term>\na\n</parameter>', { calls: ['truncated-output@50'], told: NATIVE }],
  [`<tool_call>${MOSS}`, { calls: [moss], told: ['native-markers', 'unclosed-tag'] }],
])('nothing that the limit may have cut is run: %j', (output, turn) => {
  expect(readInEveryCut('json', output, 'length')).toEqual(turn)
})
