import type { Author, Message, ModelRequest } from '@tenon/kernel'
import { CallId, HOST, text, USER } from '@tenon/kernel'
import { toolNames } from '../../src/wire/tool-names.js'
import type { WireDialect } from '../../src/wire/wire-model.js'

const CALL = CallId('t1.1')

/** A request that uses everything there is, of another author's turn, so that nothing stands in a raw form. */
export const FULL_REQUEST: ModelRequest = {
  system: [text('Be brief.'), text('Be kind.')],
  messages: [
    {
      role: 'user',
      blocks: [
        text('What is this?'),
        { kind: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'aGk=' } },
      ],
      provenance: USER,
    },
    {
      role: 'assistant',
      blocks: [
        text('I look.'),
        { kind: 'tool-call', callId: CALL, name: 'files.read', args: { path: 'a' }, argsText: '{ "path": "a" }' },
      ],
    },
    {
      role: 'tool',
      blocks: [
        {
          kind: 'tool-result',
          callId: CALL,
          name: 'files.read',
          content: [text('empty')],
          isError: true,
          provenance: HOST,
        },
      ],
    },
  ] satisfies Message[],
  tools: [
    {
      name: 'files.read',
      description: 'Reads a file.',
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
  toolChoice: { name: 'files.read' },
  output: {
    name: 'answer',
    schema: {
      type: 'object',
      properties: { said: { type: 'string' } },
      required: ['said'],
      additionalProperties: false,
    },
  },
  settings: {
    maxOutputTokens: 4000,
    temperature: 0.5,
    topP: 0.9,
    stop: ['END'],
    reasoning: 'low',
    parallelCalls: false,
  },
  cacheKey: 'run-7',
}

export function written(dialect: WireDialect, request: ModelRequest, provider: string, model: string): unknown {
  const self: Author = { provider, model, dialect: dialect.name }
  return dialect.write(request, self, toolNames(request.tools.map(({ name }) => name)))
}
