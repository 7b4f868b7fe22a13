import type {
  Author,
  Json,
  JsonObject,
  MediaBlock,
  Message,
  ModelRequest,
  ToolCallBlock,
  TurnBlock,
} from '@tenon/kernel'
import { CallId, HOST, text, USER, userMessage } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { chatStream, fragment, namedSse, readWire, type Wire } from '../../test/support/read-wire.js'
import { anthropicMessagesDialect } from '../anthropic-messages/anthropic-messages.js'
import { openAiChatDialect } from '../openai-chat/openai-chat.js'
import { openAiResponsesDialect } from '../openai-responses/openai-responses.js'
import { toolNames } from './tool-names.js'

const DIALECTS = {
  'openai-chat': openAiChatDialect,
  'openai-responses': openAiResponsesDialect,
  'anthropic-messages': anthropicMessagesDialect,
} as const
type DialectName = keyof typeof DIALECTS

/** The body that a model of this dialect is sent for these messages. */
function write(
  dialect: DialectName,
  messages: readonly Message[],
  who: Partial<Author> = {},
  more: Partial<ModelRequest> = {},
): JsonObject {
  const { provider = 'test', model = 'm-1' } = who
  const wire = DIALECTS[dialect]({ provider, model, baseUrl: 'http://127.0.0.1' })
  const request: ModelRequest = { system: [], messages, tools: [], toolChoice: 'auto', settings: {}, ...more }
  const self: Author = { provider, model, dialect }
  return wire.write(request, self, toolNames(request.tools.map(({ name }) => name)))
}

/** A turn as the journal has it: read from the wire, bound, written as JSON and read again. */
function turnOf(wire: Wire, turn = 1): TurnBlock[] {
  const author: Author = { provider: 'test', model: 'm-1', dialect: wire.dialect ?? 'openai-chat' }
  const bound = readWire(wire).blocks.map((block, at) =>
    block.kind === 'tool-call' ? { ...block, author, callId: CallId(`t${turn}.${at}`) } : { ...block, author },
  )
  return JSON.parse(JSON.stringify(bound)) as TurnBlock[]
}

const results = (blocks: readonly TurnBlock[]): Message => ({
  role: 'tool',
  blocks: blocks
    .filter((block): block is ToolCallBlock => block.kind === 'tool-call')
    .map(({ callId, name }) => ({
      kind: 'tool-result',
      callId,
      name,
      content: [text('done')],
      isError: false,
      provenance: HOST,
    })),
})

const conversation = (blocks: readonly TurnBlock[]): Message[] => [
  userMessage('Begin.'),
  { role: 'assistant', blocks },
  results(blocks),
]

const thought: JsonObject = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln/+==' }
const anthropicTurn: Wire = {
  dialect: 'anthropic-messages',
  stream: false,
  body: JSON.stringify({
    content: [
      thought,
      { type: 'redacted_thinking', data: 'EmwK' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { b: 1, a: [1.5, null] } },
    ],
    stop_reason: 'tool_use',
  }),
}
const chatTurn: Wire = {
  body: chatStream(
    [
      { reasoning_content: 'Hm.' },
      { content: 'I look.' },
      fragment({ index: 0, id: 'call_1', name: 'look', args: '{ "b":1,\n"a":[] }' }),
    ],
    'tool_calls',
  ),
}
const responsesItems: JsonObject[] = [
  { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA/+==' },
  {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [
      { type: 'output_text', text: 'I ', annotations: [] },
      { type: 'output_text', text: 'look.', annotations: [], logprobs: [] },
    ],
  },
  { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'look', arguments: '{ "a" : 1 }' },
]
const responsesTurn: Wire = {
  dialect: 'openai-responses',
  stream: false,
  body: JSON.stringify({ status: 'completed', output: responsesItems }),
}

test('signed and redacted thoughts go back byte for byte after the journal', () => {
  const { messages } = write('anthropic-messages', conversation(turnOf(anthropicTurn)))
  const sent = (messages as { content: Json[] }[])[1]?.content
  expect(JSON.stringify(sent)).toBe(JSON.stringify(JSON.parse(String(anthropicTurn.body)).content))
})

test('items of the responses dialect go back as they were, both ids of a call included', () => {
  const { input } = write('openai-responses', conversation(turnOf(responsesTurn)))
  expect(JSON.stringify((input as Json[]).slice(1, 4))).toBe(JSON.stringify(responsesItems))
  expect((input as Json[])[4]).toEqual({ type: 'function_call_output', call_id: 'call_1', output: 'done' })
})

test('a thought goes back in the field it came in, with the calls that it led to and not without', () => {
  const turn = turnOf(chatTurn)
  const [, assistant, tool] = write('openai-chat', conversation(turn)).messages as JsonObject[]
  expect(assistant).toEqual({
    role: 'assistant',
    content: 'I look.',
    reasoning_content: 'Hm.',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{ "b":1,\n"a":[] }' } }],
  })
  expect(tool).toMatchObject({ role: 'tool', tool_call_id: 'call_1' })
  const talk = turn.filter((block) => block.kind !== 'tool-call')
  const alone = write('openai-chat', [userMessage('a'), { role: 'assistant', blocks: talk }]).messages as JsonObject[]
  expect(alone[1]).toEqual({ role: 'assistant', content: 'I look.' })
})

test('a thought in tags goes back in the content, as it was written', () => {
  const content = '<think>\nHm.\n</think>\n\nI look.'
  const turn = turnOf({
    body: chatStream([{ content }, fragment({ index: 0, id: 'c', name: 'f', args: '{}' })], 'tool_calls'),
  })
  const [, assistant] = write('openai-chat', conversation(turn)).messages as JsonObject[]
  expect(assistant?.content).toBe(content)
})

test('parts of a thought go back as they were sent, and so does the signature of a text', () => {
  const parts = [
    {
      type: 'thinking',
      thinking: [
        { type: 'text', text: 'a ' },
        { type: 'text', text: 'b' },
      ],
      closed: true,
    },
  ]
  const tool_calls = [{ id: 'abcdefghi', type: 'function', function: { name: 'f', arguments: '{}' } }]
  const extra_content = { google: { thought_signature: 'AVS+/==' } }
  const message = { content: [...parts, { type: 'text', text: 'c' }], extra_content, tool_calls }
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] })
  const [, assistant] = write('openai-chat', conversation(turnOf({ stream: false, body }))).messages as JsonObject[]
  expect(assistant).toEqual({ role: 'assistant', ...message })
})

test.each<[string, DialectName, Wire, Partial<Author>]>([
  ['another model of the same provider', 'anthropic-messages', anthropicTurn, { model: 'm-2' }],
  ['another provider of the same dialect', 'anthropic-messages', anthropicTurn, { provider: 'other' }],
  ['another dialect', 'openai-chat', anthropicTurn, {}],
  ['another model of the same provider', 'openai-responses', responsesTurn, { model: 'm-2' }],
  ['another dialect', 'anthropic-messages', responsesTurn, {}],
  ['another model of the same provider', 'openai-chat', chatTurn, { model: 'm-2' }],
])('%s reading as %s gets text and calls, and no thought', (_, dialect, wire, who) => {
  const body = JSON.stringify(write(dialect, conversation(turnOf(wire)), who))
  for (const secret of ['Hm.', 'c2ln', 'EmwK', 'gAAA', 'rs_1', 'fc_1', 'msg_1', 'signature'])
    expect(body).not.toContain(secret)
  expect(body).toContain('look')
})

test('a call keeps its id for its provider and gets a legal one for another', () => {
  const turn = turnOf(chatTurn)
  const ids = (body: JsonObject) =>
    (body.messages as JsonObject[]).flatMap((message) => [
      ...((message.tool_calls as JsonObject[] | undefined) ?? []).map(({ id }) => id),
      ...(message.tool_call_id === undefined ? [] : [message.tool_call_id]),
    ])
  expect(ids(write('openai-chat', conversation(turn), { model: 'm-2' }))).toEqual(['call_1', 'call_1'])
  const [made, answered] = ids(write('openai-chat', conversation(turn), { provider: 'mistral' }))
  expect(made).toMatch(/^[a-zA-Z0-9]{9}$/)
  expect(answered).toBe(made)
  expect(ids(write('openai-chat', conversation(turn), { provider: 'mistral' }))[0]).toBe(made)
  const claude = JSON.stringify(write('anthropic-messages', conversation(turn)))
  expect(claude).toContain('"tool_use_id":"call_t1_2"')
})

test('an id that an earlier turn has is not used again, and what was sent before stays as it was', () => {
  const first = turnOf(chatTurn, 1)
  const second = turnOf(chatTurn, 2)
  const short = write('openai-chat', conversation(first))
  const long = write('openai-chat', [...conversation(first), { role: 'assistant', blocks: second }, results(second)])
  const before = short.messages as JsonObject[]
  const after = long.messages as JsonObject[]
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.at(-1)?.tool_call_id).toBe('call_t2_2')
  expect(after.at(-2)).toMatchObject({ tool_calls: [{ id: 'call_t2_2' }] })
})

test('an id that we make is not one that a provider gave, and no longer than providers allow', () => {
  const author: Author = { provider: 'test', model: 'm-1', dialect: 'openai-chat' }
  const call = (callId: string, alias?: string): ToolCallBlock => ({
    kind: 'tool-call',
    callId: CallId(callId),
    name: 'look',
    args: {},
    author,
    ...(alias === undefined ? {} : { alias }),
  })
  const turn = [call('a.1', 'call_b_1'), call('b.1'), call(`${'scope.'.repeat(20)}1`), call(`${'scope.'.repeat(20)}2`)]
  const [, assistant, ...tools] = write('openai-chat', conversation(turn)).messages as JsonObject[]
  const calls = assistant?.tool_calls as JsonObject[]
  const ids = calls.map(({ id }) => id)
  expect(ids.slice(0, 2)).toEqual(['call_b_1', 'call_b_1_1'])
  for (const id of ids.slice(2)) expect(id).toMatch(/^call_[0-9a-f]{40}$/)
  expect(new Set(ids).size).toBe(4)
  expect(tools.map((tool) => tool.tool_call_id)).toEqual(ids)
})

test('broken arguments never stand in a history', () => {
  const deltas = [
    fragment({ index: 0, id: 'c', name: 'f', args: '{"a":' }),
    fragment({ index: 1, id: 'd', name: 'f', args: 'null' }),
  ]
  const turn = turnOf({ body: chatStream(deltas, 'tool_calls') })
  const [, assistant] = write('openai-chat', conversation(turn)).messages as JsonObject[]
  const calls = assistant?.tool_calls as { function: JsonObject }[]
  expect(calls.map((call) => call.function.arguments)).toEqual(['{}', '{}'])
})

test('a paused turn goes back unchanged at the end of the request', () => {
  const content = [{ type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { q: 'a' } }]
  const turn = turnOf({
    dialect: 'anthropic-messages',
    stream: false,
    body: JSON.stringify({ content, stop_reason: 'pause_turn' }),
  })
  const { messages } = write('anthropic-messages', [userMessage('a'), { role: 'assistant', blocks: turn }])
  expect((messages as Json[]).at(-1)).toEqual({ role: 'assistant', content })
})

test('what was said to people alone goes to no provider', () => {
  const stop_details = { explanation: 'Restricted.' }
  const body = JSON.stringify({ content: [{ type: 'text', text: 'I' }], stop_reason: 'refusal', stop_details })
  const turn = turnOf({ dialect: 'anthropic-messages', stream: false, body })
  for (const dialect of Object.keys(DIALECTS) as DialectName[])
    expect(JSON.stringify(write(dialect, [userMessage('a'), { role: 'assistant', blocks: turn }]))).not.toContain(
      'Restricted',
    )
})

test('OpenAI gets no thought whose id it does not know, nor the id of the call that it led to', () => {
  const open = responsesItems.map(({ encrypted_content: _, ...item }) => item)
  const turn = turnOf({ ...responsesTurn, body: JSON.stringify({ status: 'completed', output: open }) })
  const asOpenAi = turn.map((block) =>
    'author' in block ? { ...block, author: { provider: 'openai', model: 'm-1', dialect: 'openai-responses' } } : block,
  )
  const { input } = write('openai-responses', conversation(asOpenAi as TurnBlock[]), { provider: 'openai' })
  expect(JSON.stringify(input)).not.toContain('rs_1')
  expect(JSON.stringify(input)).not.toContain('fc_1')
  expect(JSON.stringify(input)).toContain('"call_id":"call_1"')
})

test('Anthropic is not asked to think in a turn that another model began, nor with a forced call', () => {
  const thinking = (messages: readonly Message[], more: Partial<ModelRequest> = {}) =>
    write('anthropic-messages', messages, {}, { settings: { reasoning: 'low', maxOutputTokens: 9000 }, ...more })
      .thinking
  expect(thinking(conversation(turnOf(anthropicTurn)))).toEqual({ type: 'enabled', budget_tokens: 2048 })
  expect(thinking(conversation(turnOf(chatTurn)))).toEqual({ type: 'disabled' })
  expect(thinking([...conversation(turnOf(chatTurn)), userMessage('And now?')])).toEqual({ type: 'disabled' })
  const tools = [{ name: 'look', description: '', input: { type: 'object' } }]
  expect(thinking([userMessage('a')], { tools, toolChoice: 'required' })).toEqual({ type: 'disabled' })
})

test('pictures are shown where the dialect can, and everything else is told', () => {
  const picture = { kind: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'aGk=' } } as const
  const sound = {
    kind: 'audio',
    mediaType: 'audio/ogg',
    name: 'call.ogg',
    source: { kind: 'url', url: 'https://h/a' },
  } as const
  const large = {
    kind: 'artifact',
    artifactId: 'sha256:1' as never,
    name: 'log',
    mediaType: 'text/plain',
    bytes: 9,
  } as const
  const turn = turnOf(chatTurn)
  const call = turn.at(-1) as ToolCallBlock
  const messages: Message[] = [
    { role: 'user', blocks: [text('See'), picture, sound, large], provenance: USER },
    { role: 'assistant', blocks: turn },
    {
      role: 'tool',
      blocks: [
        {
          kind: 'tool-result',
          callId: call.callId,
          name: 'look',
          content: [picture, text('x')],
          isError: true,
          provenance: HOST,
        },
      ],
    },
  ]
  for (const dialect of Object.keys(DIALECTS) as DialectName[]) {
    const body = JSON.stringify(write(dialect, messages))
    expect(body.match(/aGk=/g)).toHaveLength(2)
    expect(body).toContain('call.ogg')
    expect(body).toContain('cannot be shown it')
    expect(body).toContain('sha256:1')
  }
  expect(JSON.stringify(write('openai-chat', messages, { provider: 'deepseek' }))).not.toContain('aGk=')
})

const data = (bytes: string) => ({ kind: 'data', base64: btoa(bytes) }) as const
const url = (address: string) => ({ kind: 'url', url: address }) as const
const FILES: readonly MediaBlock[] = [
  { kind: 'file', mediaType: 'application/pdf', name: 'a.pdf', source: data('pdf') },
  { kind: 'file', mediaType: 'application/pdf', source: url('https://h/b.pdf') },
  { kind: 'file', mediaType: 'text/markdown', name: 'c.md', source: data('# Hi') },
  { kind: 'file', mediaType: 'application/zip', source: data('zip') },
  { kind: 'image', mediaType: 'image/png', source: url('https://h/e.png') },
  { kind: 'image', mediaType: 'image/png', source: { kind: 'artifact', artifactId: 'sha256:1' as never } },
  { kind: 'audio', mediaType: 'audio/x-wav', source: data('wav') },
  { kind: 'audio', mediaType: 'audio/mpeg', source: data('mp3') },
  { kind: 'audio', mediaType: 'audio/ogg', source: data('ogg') },
]
const inLine = (type: string, bytes: string) => `data:${type};base64,${btoa(bytes)}`
const told = { text: expect.stringContaining('cannot be shown it') }

test.each<[DialectName, readonly unknown[]]>([
  [
    'anthropic-messages',
    [
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: btoa('pdf') },
        title: 'a.pdf',
      },
      { type: 'document', source: { type: 'url', url: 'https://h/b.pdf' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Hi' }, title: 'c.md' },
      told,
      { type: 'image', source: { type: 'url', url: 'https://h/e.png' } },
      ...Array(4).fill(told),
    ],
  ],
  [
    'openai-responses',
    [
      { type: 'input_file', filename: 'a.pdf', file_data: inLine('application/pdf', 'pdf') },
      { type: 'input_file', file_url: 'https://h/b.pdf' },
      { type: 'input_file', filename: 'c.md', file_data: inLine('text/markdown', '# Hi') },
      { type: 'input_file', filename: 'file', file_data: inLine('application/zip', 'zip') },
      { type: 'input_image', image_url: 'https://h/e.png', detail: 'auto' },
      ...Array(4).fill(told),
    ],
  ],
  [
    'openai-chat',
    [
      { type: 'file', file: { filename: 'a.pdf', file_data: inLine('application/pdf', 'pdf') } },
      told,
      { type: 'file', file: { filename: 'c.md', file_data: inLine('text/markdown', '# Hi') } },
      { type: 'file', file: { filename: 'file', file_data: inLine('application/zip', 'zip') } },
      { type: 'image_url', image_url: { url: 'https://h/e.png' } },
      told,
      { type: 'input_audio', input_audio: { data: btoa('wav'), format: 'wav' } },
      { type: 'input_audio', input_audio: { data: btoa('mp3'), format: 'mp3' } },
      told,
    ],
  ],
])('%s is sent files, links and recordings in its own form, and is told of what it has none for', (dialect, parts) => {
  const body = write(dialect, [userMessage(FILES)], { provider: 'openai' })
  const [message] = (body.messages ?? body.input) as readonly { content: Json }[]
  expect(message?.content).toEqual(parts.map((part) => (part === told ? expect.objectContaining(told) : part)))
})

test('a history that begins with what a model said begins with a word of the user for Anthropic', () => {
  const turn = turnOf(chatTurn)
  const { messages } = write('anthropic-messages', conversation(turn).slice(1))
  expect((messages as readonly JsonObject[]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

test('a picture that no provider takes is told, so that it does not have every later request refused', () => {
  const image = (mediaType: string, base64: string) =>
    ({ kind: 'image', mediaType, source: { kind: 'data', base64 } }) as const
  const odd = [image('image/svg+xml', 'PHN2Zz4='), image('image/*', 'c3Rhcg=='), image('image/png', 'not base64!')]
  const messages: Message[] = [
    { role: 'user', blocks: [...odd, image('image/png', ''), image('image/jpg', 'anBn')], provenance: USER },
  ]
  for (const dialect of Object.keys(DIALECTS) as DialectName[]) {
    const body = JSON.stringify(write(dialect, messages))
    expect(body.match(/cannot be shown it/g)).toHaveLength(4)
    for (const { source } of odd) expect(body).not.toContain(source.base64)
    expect(body).toContain('anBn')
    expect(body).toMatch(/image\/jpeg/)
  }
})

test('namedSse events make the same turn as the whole body does', () => {
  const content = JSON.parse(String(anthropicTurn.body)).content as JsonObject[]
  const streamed = namedSse(
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  )
  expect(turnOf({ dialect: 'anthropic-messages', body: streamed })).toEqual(turnOf(anthropicTurn))
})
