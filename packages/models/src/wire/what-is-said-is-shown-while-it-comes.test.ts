import type { Json, JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { chatStream, fragment, namedSse, readEvents, type Wire } from '../../test/support/read-wire.js'

type Event = { readonly type: string; readonly [key: string]: Json }

/** The same turn on each wire: a thought, a text and a call, each in two pieces. */
const TURNS: readonly Wire[] = [
  {
    dialect: 'openai-chat',
    body: chatStream(
      [
        { reasoning_content: 'First ' },
        { reasoning_content: 'look.' },
        { content: 'I ' },
        { content: 'look.' },
        fragment({ index: 0, id: 'c', name: 'look', args: '{"at":' }),
        fragment({ index: 0, args: '1}' }),
      ],
      'tool_calls',
    ),
  },
  {
    dialect: 'anthropic-messages',
    body: namedSse(
      ...block(0, { type: 'thinking', thinking: '', signature: '' }, 'thinking', ['First ', 'look.']),
      ...block(1, { type: 'text', text: '' }, 'text', ['I ', 'look.']),
      ...block(2, { type: 'tool_use', id: 'c', name: 'look', input: {} }, 'input_json', ['{"at":', '1}']),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ),
  },
  {
    dialect: 'openai-responses',
    body: namedSse(
      ...item(0, { id: 'rs_1', type: 'reasoning' }, 'reasoning_summary_text', ['First ', 'look.'], {
        summary: [{ type: 'summary_text', text: 'First look.' }],
      }),
      ...item(1, { id: 'msg_1', type: 'message', role: 'assistant' }, 'output_text', ['I ', 'look.'], {
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      }),
      ...item(
        2,
        { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'look' },
        'function_call_arguments',
        ['{"at":', '1}'],
        {
          arguments: '{"at":1}',
        },
      ),
    ),
  },
]

function block(
  index: number,
  content_block: Json,
  kind: 'thinking' | 'text' | 'input_json',
  pieces: readonly string[],
): Event[] {
  const field = kind === 'input_json' ? 'partial_json' : kind
  return [
    { type: 'content_block_start', index, content_block },
    ...pieces.map((piece) => ({
      type: 'content_block_delta',
      index,
      delta: { type: `${kind}_delta`, [field]: piece },
    })),
    { type: 'content_block_stop', index },
  ]
}

function item(
  output_index: number,
  begun: JsonObject,
  kind: string,
  deltas: readonly string[],
  whole: JsonObject,
): Event[] {
  const place = { output_index, content_index: 0, summary_index: 0 }
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...deltas.map((delta) => ({ type: `response.${kind}.delta`, ...place, delta })),
    { type: 'response.output_item.done', output_index, item: { ...begun, ...whole } },
  ]
}

test.each(TURNS)('each piece of a thought, a text and a call goes out at once: $dialect', (wire) => {
  const shown = readEvents(wire).filter(({ kind }) => kind === 'block-began' || kind === 'delta')
  expect(shown).toEqual([
    { kind: 'block-began', index: 0, block: 'reasoning' },
    { kind: 'delta', index: 0, text: 'First ' },
    { kind: 'delta', index: 0, text: 'look.' },
    { kind: 'block-began', index: 1, block: 'text' },
    { kind: 'delta', index: 1, text: 'I ' },
    { kind: 'delta', index: 1, text: 'look.' },
    { kind: 'block-began', index: 2, block: 'tool-call', name: 'look' },
    { kind: 'delta', index: 2, text: '{"at":' },
    { kind: 'delta', index: 2, text: '1}' },
  ])
})
