import { expect, test } from 'vitest'
import { chatStream, fragment, readEvents, readWire } from '../../test/support/read-wire.js'
import { splitThought } from './think-tags.js'

const read = (content: string, thinkTags: 'leading' | 'template' | 'off' = 'leading', word = 'stop') => {
  const { blocks, diagnostics } = readWire({ body: chatStream([{ content }], word), thinkTags })
  return { blocks: blocks.map((block) => [block.kind, 'text' in block ? block.text : '']), diagnostics }
}

test.each(['think', 'thinking', 'thought', 'THINK', 'Thinking'])('a thought in <%s> is one', (tag) => {
  expect(read(`<${tag}>a</${tag}>b`)).toEqual({
    blocks: [
      ['reasoning', 'a'],
      ['text', 'b'],
    ],
    diagnostics: ['think-tags'],
  })
})

test('white space beside the tags goes, and stays elsewhere', () => {
  expect(read(' \n<think>\n\n a  b \n</think>\n\n c \n')).toEqual({
    blocks: [
      ['reasoning', 'a  b'],
      ['text', 'c \n'],
    ],
    diagnostics: ['think-tags'],
  })
})

test('tags that are not at the start are what the answer is about', () => {
  for (const text of ['So <think>a</think>', '<thinker>a</thinker>', '`<think>`', '<thin'])
    expect(read(text)).toEqual({ blocks: [['text', text]], diagnostics: [] })
  expect(read('<think>a</think>b', 'off')).toEqual({ blocks: [['text', '<think>a</think>b']], diagnostics: [] })
})

test('the thought ends at the tag that balances, else at the last one, else with the text', () => {
  const ended = (text: string) => read(text).blocks.map(([, said]) => said)
  expect(ended('<think>a<think>b</think>c</think>d</think>e')).toEqual(['a<think>b</think>c', 'd</think>e'])
  expect(ended('<think>a<think>b</think>c')).toEqual(['a<think>b', 'c'])
  expect(ended('<think>a<think>b</think>c<think>d</think>e')).toEqual(['a<think>b</think>c<think>d', 'e'])
  expect(read('<think>a b\n')).toEqual({
    blocks: [['reasoning', 'a b\n']],
    diagnostics: ['think-tags', 'think-unclosed'],
  })
})

test('an empty thought and an empty answer leave no block', () => {
  expect(read('<think>\n\n</think>\n\nYes')).toEqual({ blocks: [['text', 'Yes']], diagnostics: ['think-tags'] })
  expect(read('<think>a</think>\n')).toEqual({ blocks: [['reasoning', 'a']], diagnostics: ['think-tags'] })
})

test('where the template opened the thought, the closing tag alone tells', () => {
  expect(read('a\n</think>\nb', 'template')).toEqual({
    blocks: [
      ['reasoning', 'a'],
      ['text', 'b'],
    ],
    diagnostics: ['think-tags', 'think-unopened'],
  })
  expect(read('<think>a</think>b', 'template').diagnostics).toEqual(['think-tags'])
  expect(read('no thought', 'template')).toEqual({ blocks: [['text', 'no thought']], diagnostics: [] })
  expect(read('a</think>b').blocks).toEqual([['text', 'a</think>b']])
})

test('where a field has the thought, tags are text', () => {
  const body = chatStream([{ reasoning_content: 'field' }, { content: '<think>a</think>b' }])
  expect(readWire({ body })).toMatchObject({
    blocks: [
      { kind: 'reasoning', text: 'field' },
      { kind: 'text', text: '<think>a</think>b' },
    ],
    diagnostics: [],
  })
})

test('a call after an open thought does not let the thought run into it', () => {
  const deltas = [
    { content: '<think>a' },
    fragment({ index: 0, id: 'c', name: 'f', args: '{}' }),
    { content: '<think>b' },
  ]
  expect(readWire({ body: chatStream(deltas, 'tool_calls') }).blocks).toMatchObject([
    { kind: 'reasoning', text: 'a' },
    { kind: 'tool-call' },
    { kind: 'text', text: '<think>b' },
  ])
})

test('what is shown while it comes is what the blocks say in the end', () => {
  const pieces = ['<th', 'ink>\n', 'One <', ' two', '\n</thi', 'nk>', '\n\nThe ans', 'wer <b>']
  const events = readEvents({ body: chatStream(pieces.map((content) => ({ content }))) })
  const shown = (index: number) =>
    events.flatMap((event) => (event.kind === 'delta' && event.index === index ? [event.text] : [])).join('')
  expect(shown(0).trim()).toBe('One < two')
  expect(shown(1)).toBe('The answer <b>')
  expect(events.filter((event) => event.kind === 'block-began')).toMatchObject([
    { index: 0, block: 'reasoning' },
    { index: 1, block: 'text' },
  ])
})

test('what stood before the answer can be written again, byte for byte', () => {
  const text = ' <think>\n a <think>b</think>\n</think>\n\nyes'
  const split = splitThought(text, 'leading')
  expect(`${split?.written}${split?.text}`).toBe(text)
})

test('details go before reasoning_content, that before reasoning', () => {
  const both = chatStream([
    { reasoning_content: 'a', reasoning: 'a' },
    { reasoning_content: 'b', reasoning: 'b' },
  ])
  expect(readWire({ body: both })).toMatchObject({
    blocks: [{ kind: 'reasoning', text: 'ab', raw: { field: 'reasoning_content' } }],
    diagnostics: ['reasoning-duplicated'],
  })
  const differing = chatStream([{ reasoning_content: 'a', reasoning: 'x' }])
  expect(readWire({ body: differing })).toMatchObject({ blocks: [{ text: 'a' }], diagnostics: [] })
  const detail = { type: 'reasoning.text', text: 'd', index: 0 }
  const late = chatStream([{ reasoning: 'plain' }, { reasoning: ' more', reasoning_details: [detail] }])
  expect(readWire({ body: late }).blocks).toMatchObject([{ kind: 'reasoning', text: 'd' }])
})

test('pieces of one index and type are one entry, every other field keeps its first value', () => {
  const piece = (part: object) => ({ reasoning_details: [{ index: 0, type: 'reasoning.text', ...part }] }) as never
  const body = chatStream([
    piece({ text: 'a', format: null, id: null }),
    piece({ text: 'b', format: 'f1', signature: 's' }),
    piece({ format: 'f2', signature: 'ig' }),
    { reasoning_details: [{ index: 0, type: 'reasoning.encrypted', data: 'x' }] },
    { reasoning_details: [{ index: 1, type: 'reasoning.summary', summary: 'short' }] },
  ])
  expect(readWire({ body }).blocks).toMatchObject([
    {
      text: 'ab',
      seal: 'signature',
      raw: { entries: [{ index: 0, type: 'reasoning.text', text: 'ab', format: 'f1', id: null, signature: 'sig' }] },
    },
    { text: '', seal: 'encrypted', raw: { entries: [{ data: 'x' }] } },
    { text: 'short', seal: 'none' },
  ])
})

test('an entry that shows nothing makes no block and is kept with its neighbour', () => {
  const silent = (index: number) => ({ type: 'reasoning.hologram', index, payload: [index] })
  const shown = { type: 'reasoning.text', text: 'a', index: 1 }
  const message = { content: 'b', reasoning_details: [silent(0), shown, silent(2)] }
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })
  expect(readWire({ body, stream: false }).blocks).toMatchObject([
    { kind: 'reasoning', text: 'a', raw: { entries: message.reasoning_details } },
    { kind: 'text', text: 'b' },
  ])
})

test('parts of the content are what they say, an unknown one is told', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] },
    { type: 'text', text: 'b' },
    { type: 'hologram', data: 1 },
    { type: 'text', text: 'c' },
  ]
  const body = JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] })
  expect(readWire({ body, stream: false })).toMatchObject({
    blocks: [
      { kind: 'reasoning', text: 'a' },
      { kind: 'text', text: 'bc' },
    ],
    diagnostics: ['unknown-part'],
  })
})
