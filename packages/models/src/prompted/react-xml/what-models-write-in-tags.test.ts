import { expect, test } from 'vitest'
import { readInEveryCut, type Told } from '../../../test/support/read-in-every-cut.js'

const OSLO = ['weather', { city: 'Oslo' }] as const
const object = (name: string, args: object): string => JSON.stringify({ name, arguments: args })

test.each<[output: string, turn: Told]>([
  ['plain text', { answer: 'plain text', told: ['plain-answer'] }],
  ['<THOUGHT>a</Thought><Action>weather("Oslo")</ACTION>', { calls: [OSLO], thought: 'a' }],
  ['<action>rooms()</action>', { calls: [['rooms', {}]] }],
  ['<action>rooms</action>', { problem: 'malformed-call@13' }],
  ['<action> ```json\n```\n</action>', { problem: 'malformed-call@16' }],
  ['<action>{"name": "weather"}</action>', { problem: 'malformed-call@8' }],
  ['<action>nope("a", b)</action>', { calls: ['unknown-tool@8'] }],
  [
    `<action>[${object('weather', { city: 'Oslo' })}, ${object('rooms', {})}]</action>`,
    { calls: [OSLO], discarded: `, ${object('rooms', {})}]</action>`, told: ['extra-action'] },
  ],
  [
    '<action>[weather("Oslo"), rooms()]</action>',
    { calls: [OSLO], discarded: ', rooms()]</action>', told: ['extra-action'] },
  ],
  [`<action>[${object('weather', { city: 'Oslo' })}]</action>`, { calls: [OSLO] }],
  [`<action>[${object('weather', { city: 'Oslo' })}</action>`, { calls: ['truncated-output@55'] }],
  ['<action>{"name": "weather", "arguments": {"city": "Oslo"}</action>', { calls: [OSLO], told: ['missing-closers'] }],
  [
    `<action>${object('look_up', { term: 'a' })}}</action>`,
    { calls: [['look_up', { term: 'a' }]], told: ['surplus-closers'] },
  ],
  [`<action>${object('weather', { city: 'Oslo' })} please</action>`, { calls: ['text-around-json@55'] }],
  ['<action>weather("Oslo") weather("Bonn")</action>', { calls: ['multiple-values@24'] }],
  [
    `<action>${object('weather', { city: 'Oslo' })}<observation>x</observation>`,
    { calls: [OSLO], discarded: '<observation>x</observation>', told: ['invented-observation', 'unclosed-tag'] },
  ],
  [
    `<action>${object('weather', { city: 'Oslo' })}</action><tool_response>x`,
    { calls: [OSLO], discarded: '<tool_response>x', told: ['invented-observation'] },
  ],
  [
    '<action>weather("Oslo")</action><final_answer>Rain.</final_answer>',
    { calls: [OSLO], discarded: '<final_answer>Rain.</final_answer>', told: ['final-answer-with-call'] },
  ],
  ['<action>weather("Oslo")</action> I wait.', { calls: [OSLO], discarded: 'I wait.', told: ['text-after-call'] }],
  [
    '<action>weather("Oslo", days=)</action><observation>x</observation>',
    { calls: ['invalid-json@29'], discarded: '<observation>x</observation>', told: ['invented-observation'] },
  ],
  ['<action>weather("Oslo"</action>', { calls: ['truncated-output@22'] }],
  ['<action>weather("Oslo</action>', { calls: ['truncated-output@30'] }],
  [
    '<action>{"type": "function", "id": "1", "function": {"name": "weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}</action>',
    { calls: [OSLO], told: ['double-encoded'] },
  ],
  ['<action>send({"name": "Ida"})</action>', { calls: [['send', { to: { name: 'Ida' } }]] }],
  ['<action>weather({"city": "Oslo"})</action>', { calls: [OSLO] }],
  ['<action>```\nweather("Oslo")\n```</action>', { calls: [OSLO], told: ['code-fence'] }],
  [
    '```xml\n<thought>a</thought>\n<action>weather("Oslo")</action>\n```',
    { calls: [OSLO], thought: 'a', told: ['code-fence'] },
  ],
  [
    '<thought>a</thought>\n```\n<action>weather("Oslo")</action>\n```\n<observation>x</observation>',
    {
      calls: [OSLO],
      thought: 'a',
      discarded: '<observation>x</observation>',
      told: ['code-fence', 'invented-observation'],
    },
  ],
  [
    '<thought>a <thought>b</thought><action>weather("Oslo")</action>',
    { calls: [OSLO], thought: 'a\nb', told: ['unclosed-tag'] },
  ],
  [
    '<thought>a<action>weather("Oslo")</action><thought>b</thought>',
    { calls: [OSLO], thought: 'a', discarded: '<thought>b</thought>', told: ['text-after-call', 'unclosed-tag'] },
  ],
  [
    '<thought>a<observation>b</observation></thought><final_answer>c</final_answer>',
    { thought: 'a<observation>b</observation>', answer: 'c' },
  ],
  [
    'I think</thought><action>weather("Oslo")</action>',
    { calls: [OSLO], thought: 'I think', told: ['thought-unlabelled'] },
  ],
  [
    '<observation>x</observation><action>rooms()</action>',
    {
      problem: 'empty-output@null',
      discarded: '<observation>x</observation><action>rooms()</action>',
      told: ['invented-observation'],
    },
  ],
  ['<final_answer>a <action>b</action> c', { answer: 'a <action>b</action> c', told: ['unclosed-tag'] }],
  ['<final_answer>a</final_answer> bye', { answer: 'a', discarded: 'bye', told: ['text-after-answer'] }],
  [
    '<final_answer>a</final_answer><observation>x',
    { answer: 'a', discarded: '<observation>x', told: ['invented-observation'] },
  ],
  ['<final_answer> </final_answer>', { problem: 'empty-output@null' }],
  [
    '<thought>1 < 2 and <b>bold</b></thought><final_answer>&lt;ok&gt;</final_answer>',
    { thought: '1 < 2 and <b>bold</b>', answer: '&lt;ok&gt;' },
  ],
  ['<action>{"action": "Final Answer", "action_input": "done"}</action>', { answer: 'done', told: ['label-variant'] }],
])('%j', (output, turn) => {
  expect(readInEveryCut('react-xml', output)).toEqual(turn)
})

test.each<[output: string, turn: Told]>([
  ['<action>', { problem: 'truncated-output@8' }],
  ['<action>weath', { problem: 'truncated-output@13' }],
  ['<action>{"name": "look_up", "arguments": {"term": "x"}', { calls: ['truncated-output@54'] }],
  [
    '<action>{"name": "look_up", "arguments": {"term": "x"}}',
    { calls: [['look_up', { term: 'x' }]], told: ['unclosed-tag'] },
  ],
])('nothing that the limit may have cut is run: %j', (output, turn) => {
  expect(readInEveryCut('react-xml', output, 'length')).toEqual(turn)
})
