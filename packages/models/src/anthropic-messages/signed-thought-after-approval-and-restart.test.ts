import { createHash } from 'node:crypto'
import type { Agent, Engine, EnginePorts, Json, JsonObject, RunEvent, Schema, Tool } from '@tenon/kernel'
import {
  createEngine,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  react,
} from '@tenon/kernel'
import { expect, test } from 'vitest'
import { namedSse } from '../../test/support/read-wire.js'
import { WireServer } from '../../test/support/wire-server.js'
import { anthropicMessages } from './anthropic-messages.js'

const CONTENT = [
  { type: 'thinking', thinking: 'The tide matters. 好', signature: 'EqQBCkYIBxgCKkD9a/+Zt3==' },
  { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4a' },
  { type: 'text', text: 'I ask the harbour.' },
  { type: 'tool_use', id: 'toolu_01', name: 'tide', input: { port: 'Brest', hours: [6, 12] } },
]

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const anything: Schema = { json: { type: 'object' }, check: (value) => ({ ok: true, value }) }
const tide: Tool = {
  name: 'tide',
  description: 'High water at a port.',
  input: anything,
  effect: 'pure',
  origin: { kind: 'function', name: 'test' },
  run: () => ({ kind: 'result', content: [{ kind: 'text', text: 'noon' }] }),
}

/** A process: an engine over what an earlier one left in its journal, read back from JSON. */
async function startProcess(
  agent: Agent,
  before: readonly RunEvent[],
): Promise<{ engine: Engine; ports: Omit<EnginePorts, 'agents'> }> {
  const ports = {
    journal: memoryJournal(),
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts: memoryArtifacts(sha256),
    digest: (text: string) => `sha256:${sha256(text)}`,
  }
  const events = JSON.parse(JSON.stringify(before)) as RunEvent[]
  const [first] = events
  if (first?.kind === 'run-submitted') await ports.journal.append('run' as never, events, false)
  return { engine: createEngine({ ...ports, agents: () => agent }), ports }
}

test('a signed thought goes back byte for byte after an approval in another process', async () => {
  await using server = await WireServer.start((response) => {
    const isFirst = server.requests.length === 1
    const content = isFirst ? CONTENT : [{ type: 'text', text: 'At noon.' }]
    response.end(
      namedSse(
        ...content.flatMap((content_block, index) => [
          { type: 'content_block_start', index, content_block },
          { type: 'content_block_stop', index },
        ]),
        { type: 'message_delta', delta: { stop_reason: isFirst ? 'tool_use' : 'end_turn' } },
        { type: 'message_stop' },
      ),
    )
  })
  const agent: Agent = {
    name: 'pilot',
    model: anthropicMessages({ provider: 'anthropic', model: 'claude-sonnet-4-5', baseUrl: server.origin }),
    tools: [tide],
    planner: react(),
    policy: { rules: [], otherwise: 'ask' },
    frame: [],
    limits: {},
  }
  const first = await startProcess(agent, [])
  const runId = await first.engine.submit({ agent: 'pilot', goal: 'When is high water?', runId: 'run' as never })
  await first.engine.drive(runId)
  const left = (await first.ports.journal.load(runId)) as readonly RunEvent[]
  await first.engine.close()

  const second = await startProcess(agent, left)
  const asked = left.find((event) => event.kind === 'input-requested')
  if (asked?.kind !== 'input-requested') throw new Error('the call was not asked about')
  await second.engine.answer(runId, asked.request.requestId, { kind: 'approve' } as Json)
  await second.engine.drive(runId)

  const [before, after] = server.requests.map(({ body }) => body.messages as JsonObject[])
  const sent = after?.find(({ role }) => role === 'assistant')
  expect(JSON.stringify(sent?.content)).toBe(JSON.stringify(CONTENT))
  expect(after?.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01' }] })
  expect(before).toHaveLength(1)
  const ended = ((await second.ports.journal.load(runId)) as readonly RunEvent[]).at(-1)
  expect(ended).toMatchObject({ kind: 'run-ended', state: 'completed', blocks: [{ text: 'At noon.' }] })
})
