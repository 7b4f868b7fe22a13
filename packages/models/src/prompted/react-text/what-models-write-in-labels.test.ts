import { expect, test } from 'vitest'
import { readInEveryCut, type Told } from '../../../test/support/read-in-every-cut.js'
import { reactTextDialect } from './react-text-dialect.js'

const OSLO = ['weather', { city: 'Oslo' }] as const

test.each<[output: string, turn: Told]>([
  [
    'Action: rooms\nAction Input:\nObservation: x',
    { calls: [['rooms', {}]], discarded: 'Observation: x', told: ['empty-arguments', 'invented-observation'] },
  ],
  ['Thought: a\nAction: weather\nAction Input:\n', { calls: ['missing-action-input@26'], thought: 'a' }],
  [
    'Thought: a\nAction: weather\nObservation: x',
    { calls: ['missing-action-input@26'], thought: 'a', discarded: 'Observation: x', told: ['invented-observation'] },
  ],
  ['Thought: a\nAction:\nAction Input: {}', { thought: 'a', problem: 'malformed-call@18' }],
  ['Thought: a\nAction Input: {"city": "Oslo"}', { thought: 'a', problem: 'malformed-call@11' }],
  ['Action: [weather(city="Oslo")]', { problem: 'malformed-call@8' }],
  [
    'Action: nope\nAction Input: {"a": "\nObservation: b"}\nObservation: c',
    { calls: ['unknown-tool@8'], discarded: 'Observation: c', told: ['invented-observation'] },
  ],
  [
    'Action: Final Answer\nAction Input: It is 7.\nObservation: z',
    { answer: 'It is 7.', discarded: 'Observation: z', told: ['invented-observation', 'label-variant'] },
  ],
  ['Action: {"action": "Final Answer", "action_input": "It is 7."}', { answer: 'It is 7.', told: ['label-variant'] }],
  [
    'Action: {"action": "weather", "action_input": {"city": "Oslo"}}\nAction: rooms',
    { calls: [OSLO], discarded: 'Action: rooms', told: ['extra-action'] },
  ],
  ['Action: {"action": "weather"}', { problem: 'malformed-call@8' }],
  ['Action:\n```\nweather\n```\nAction Input: {"city": "Oslo"}', { calls: [OSLO], told: ['code-fence'] }],
  ['Action: ```weather```\nAction Input: {"city": "Oslo"}', { calls: [OSLO], told: ['name-normalised'] }],
  [
    'Action: weather(\n  "Oslo",\n)\nThought: b',
    { calls: [OSLO], discarded: 'Thought: b', told: ['text-after-call', 'trailing-comma'] },
  ],
  ['Action: weather(city="Oslo"', { calls: ['truncated-output@27'] }],
  ['Action: weather(city="Oslo", "f")', { calls: ['invalid-json@29'] }],
  ['Action: weather("Oslo", city="Bergen")', { calls: ['duplicate-key@29'] }],
  ['Action: weather(2512292042121000001, days=2512292042121000001)', { calls: ['unsafe-number@42'] }],
  [
    'Action: look_up\nAction Input: "an \\"old\\" town"\nThought: b',
    {
      calls: [['look_up', { term: 'an "old" town' }]],
      discarded: 'Thought: b',
      told: ['plain-input', 'text-after-call'],
    },
  ],
  [
    'Action: look_up\nAction Input: "a" or "b"',
    { calls: [['look_up', { term: '"a" or "b"' }]], told: ['plain-input'] },
  ],
  [
    'Action: look_up\nAction Input: two\nlines\nObserv',
    {
      calls: [['look_up', { term: 'two\nlines' }]],
      discarded: 'Observ',
      told: ['invented-observation', 'plain-input'],
    },
  ],
  ['Action: look_up\nAction Input: {term}', { calls: ['invalid-json@35'] }],
  [
    'Action: look_up\nAction Input:\n```\nplain text\n```\nObservation: x',
    {
      calls: [['look_up', { term: 'plain text' }]],
      discarded: 'Observation: x',
      told: ['code-fence', 'invented-observation', 'plain-input'],
    },
  ],
  ['Action: count\nAction Input: 5', { calls: [['count', { n: 5 }]], told: ['coerced-by-schema', 'plain-input'] }],
  ['Action: weather\nAction Input: "{\\"city\\": \\"Oslo\\"}"', { calls: [OSLO], told: ['double-encoded'] }],
  ['Action: weather\nAction Input: ["Oslo"]', { calls: ['not-an-object@30'] }],
  [
    'Action: weather\nAction Input: {"city": "Oslo"}}\nObservation: x',
    { calls: [OSLO], discarded: 'Observation: x', told: ['invented-observation', 'surplus-closers'] },
  ],
  [
    'Action: weather\nAction Input: {"city": "Oslo", "days": two}\nObservation: x',
    { calls: ['invalid-json@55'], discarded: 'Observation: x', told: ['invented-observation'] },
  ],
  [
    'Action: weather\nAction Input: {"city": ["Oslo"\nObservation: x',
    { calls: ['truncated-output@46'], discarded: 'Observation: x', told: ['invented-observation'] },
  ],
  [
    'Thought: a\nAction: N/A\nAction Input: N/A\nFinal Answer: seven',
    { thought: 'a', answer: 'seven', told: ['no-action'] },
  ],
  ['Thought: a\nAction: None', { thought: 'a', problem: 'thought-only@null', told: ['no-action'] }],
  ['Final Answer: seven\nObser', { answer: 'seven', discarded: 'Obser', told: ['invented-observation'] }],
  ['Final Answer: seven\nobs', { answer: 'seven', discarded: 'obs', told: ['invented-observation'] }],
  ['Final Answer: seven\nOb', { answer: 'seven\nOb' }],
  ['Final Answer: seven\nObservatory', { answer: 'seven\nObservatory' }],
  ['Hm.\nFinal Answer: seven', { thought: 'Hm.', answer: 'seven', told: ['thought-unlabelled'] }],
  [
    'Hello.\nObservation: x',
    {
      thought: 'Hello.',
      discarded: 'Observation: x',
      problem: 'thought-only@null',
      told: ['invented-observation', 'thought-unlabelled'],
    },
  ],
  [
    '### Thought: a\n1. Action: weather\n- Action Input: {"city": "Oslo"}',
    { calls: [OSLO], thought: 'a', told: ['label-variant'] },
  ],
  [
    'thought: a\nACTION: weather\nAction input: {"city": "Oslo"}',
    { calls: [OSLO], thought: 'a', told: ['label-variant'] },
  ],
  ['Thought: a\nThought: b\nFinal Answer: c', { thought: 'a\nb', answer: 'c' }],
  [
    '```\nThought: a\nAction: weather\nAction Input: {"city": "Oslo"}',
    { calls: [OSLO], thought: 'a', told: ['code-fence'] },
  ],
  [
    '```\nThought: a\nAction: weather\nAction Input: {"city": "Oslo"}\n```\nObservation: x',
    { calls: [OSLO], thought: 'a', discarded: 'Observation: x', told: ['code-fence', 'invented-observation'] },
  ],
  [
    '```\nThought: a\nAction: weather\nAction Input:\n```json\n{"city": "Oslo"}\n```\n```',
    { calls: [OSLO], thought: 'a', told: ['code-fence'] },
  ],
  ['```\nprint(1)\n```', { answer: '```\nprint(1)\n```', told: ['plain-answer'] }],
  ['abc\n</think>\nThought: x\nFinal Answer: 3', { thought: 'abc\nx', answer: '3', told: ['think-block'] }],
  ['<think>\n\n</think>\nFinal Answer: 3<|im_end|>', { answer: '3', told: ['template-tokens', 'think-block'] }],
  ['<think>abc', { thought: 'abc', problem: 'thought-only@null', told: ['think-block'] }],
  ['\ufeffFinal Answer: 3', { answer: '3', told: ['byte-order-mark'] }],
  ['</s>', { problem: 'empty-output@null' }],
  ['Thought: \ud83d\ude00 a\nFinal Answer: \ud83d\ude00', { thought: '\ud83d\ude00 a', answer: '\ud83d\ude00' }],
])('%j', (output, turn) => {
  expect(readInEveryCut('react-text', output)).toEqual(turn)
})

test.each<[output: string, turn: Told]>([
  ['Action: look_up\nAction Input: cut he', { calls: ['truncated-output@36'] }],
  ['Thought: a\nAction: look_', { calls: ['truncated-output@24'], thought: 'a' }],
  ['Action: rooms', { calls: ['truncated-output@13'] }],
  ['Action: look_up\nAction Input: {"term": "x"', { calls: ['truncated-output@42'] }],
  ['Action: look_up\nAction Input: {"term": "x"}', { calls: [['look_up', { term: 'x' }]] }],
  ['Final Answer: it was lon', { answer: 'it was lon' }],
])('nothing that the limit may have cut is run: %j', (output, turn) => {
  expect(readInEveryCut('react-text', output, 'length')).toEqual(turn)
})

test('a thought whose lines would be read as labels or fences is written on one line', () => {
  expect(reactTextDialect.writeTurn('First:\n  Action: pay \n\n```js', [], null)).toBe(
    "Thought: First: Action: pay '''js",
  )
  expect(reactTextDialect.writeTurn('one\n  two', [], 'three')).toBe('Thought: one\n  two\nFinal Answer: three')
})
