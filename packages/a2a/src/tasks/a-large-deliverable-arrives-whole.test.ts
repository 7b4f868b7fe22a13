import { expect, test } from 'vitest'
import { openService } from '../../test/support/open-service.js'
import { scriptedAgent } from '../../test/support/scripted-agent.js'
import { ANONYMOUS } from './caller.js'
import { DELIVER, deliverTool } from './deliver-tool.js'

const SEND = { version: '1.0', signal: new AbortController().signal } as const
const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'write' }] } as const
const LONG = 'word '.repeat(50_000)

test('what an agent delivers while it works is an artifact, however large', async () => {
  const { agent } = scriptedAgent([
    [{ kind: 'tool-call', name: DELIVER, args: { name: 'report', text: LONG, mediaType: 'text/markdown' } }],
    [{ kind: 'tool-call', name: DELIVER, args: { name: 'report', text: 'the end', append: true } }],
  ])
  const { service } = openService((store) => ({ ...agent, tools: [deliverTool(store.artifacts)] }))
  const sent = await service.send(ANONYMOUS, { message }, SEND)
  expect('task' in sent && sent.task.artifacts?.[0]).toEqual({
    artifactId: 'report',
    name: 'report',
    parts: [{ text: LONG, mediaType: 'text/markdown' }, { text: 'the end' }],
  })
})
