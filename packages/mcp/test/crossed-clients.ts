import { Client as NewClient, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as OldSse } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '@tenon/kernel'
import { requestInRounds } from '../src/inspect/request-in-rounds.js'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import type { EraName, UpstreamTarget } from '../src/upstream/upstream.js'

/** The near side of a bridge: an address, that of its old transport, or a command that speaks for it. */
export type Door = {
  readonly url: string
  readonly sse: string
  readonly command: string
  readonly args: readonly string[]
}

/** Whoever it is: it lists, calls and answers what it is asked. */
export type CrossedClient = {
  names(): Promise<readonly string[]>
  call(name: string, args: JsonObject): Promise<string>
  close(): Promise<void>
}

const INFO = { name: 'crossed', version: '1' }
const CAPABILITIES = { elicitation: { form: {} }, sampling: {} }
const ELICITED = { action: 'accept' as const, content: { response: 'blue' } }
const SAMPLED = { role: 'assistant' as const, content: { type: 'text' as const, text: 'pong' }, model: 'none' }

const textOf = (result: object): string => JSON.stringify((result as { content?: unknown }).content ?? result)

async function ours(target: UpstreamTarget, era?: EraName): Promise<CrossedClient> {
  const wanted = era === undefined ? {} : { era }
  const upstream = connectUpstream({ name: 'bridge', target, clientInfo: INFO, capabilities: CAPABILITIES, ...wanted })
  const answer = async ({ method }: { method: string }): Promise<JsonObject> =>
    method === 'elicitation/create' ? ELICITED : SAMPLED
  await upstream.open()
  return {
    async names() {
      const { tools } = await upstream.request('tools/list')
      return (tools as readonly { name: string }[]).map(({ name }) => name)
    },
    async call(name, args) {
      return textOf(await requestInRounds(upstream, 'tools/call', { name, arguments: args }, answer))
    },
    close: () => upstream.close(),
  }
}

async function sdk2(
  mode: 'auto' | 'legacy',
  transport: StreamableHTTPClientTransport | SSEClientTransport | StdioClientTransport,
): Promise<CrossedClient> {
  const client = new NewClient(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } })
  client.setRequestHandler('elicitation/create', () => ELICITED)
  client.setRequestHandler('sampling/createMessage', () => SAMPLED)
  await client.connect(transport)
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => textOf(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  }
}

async function sdk1(transport: OldHttp | OldSse | OldStdio): Promise<CrossedClient> {
  const client = new OldClient(INFO, { capabilities: CAPABILITIES })
  client.setRequestHandler(ElicitRequestSchema, () => ELICITED)
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED)
  await client.connect(transport as Parameters<OldClient['connect']>[0])
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => textOf(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  }
}

const pipes = ({ command, args }: Door) => ({ command, args: [...args] })

/** Our client, and the SDK of each time, over each transport and in each era that it speaks. */
export const CLIENTS: Readonly<Record<string, (door: Door) => Promise<CrossedClient>>> = {
  'our client, stateless HTTP': ({ url }) => ours({ kind: 'http', url }, 'modern'),
  'our client, HTTP with a session': ({ url }) => ours({ kind: 'http', url }, 'legacy'),
  'our client, HTTP+SSE': ({ sse }) => ours({ kind: 'http', url: sse, transport: 'sse' }),
  'our client, an address that turns out to be an old one': ({ sse }) => ours({ kind: 'http', url: sse }),
  'our client, modern stdio': (door) => ours({ kind: 'stdio', ...pipes(door) }, 'modern'),
  'our client, legacy stdio': (door) => ours({ kind: 'stdio', ...pipes(door) }, 'legacy'),
  'SDK v2, stateless HTTP': ({ url }) => sdk2('auto', new StreamableHTTPClientTransport(new URL(url))),
  'SDK v2, HTTP with a session': ({ url }) => sdk2('legacy', new StreamableHTTPClientTransport(new URL(url))),
  'SDK v2, HTTP+SSE': ({ sse }) => sdk2('legacy', new SSEClientTransport(new URL(sse))),
  'SDK v2, modern stdio': (door) => sdk2('auto', new StdioClientTransport(pipes(door))),
  'SDK v2, legacy stdio': (door) => sdk2('legacy', new StdioClientTransport(pipes(door))),
  'SDK v1, HTTP with a session': ({ url }) => sdk1(new OldHttp(new URL(url))),
  'SDK v1, HTTP+SSE': ({ sse }) => sdk1(new OldSse(new URL(sse))),
  'SDK v1, stdio': (door) => sdk1(new OldStdio(pipes(door))),
}
