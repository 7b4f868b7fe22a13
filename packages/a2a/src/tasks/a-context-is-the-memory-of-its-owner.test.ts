import { plainText } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { openService } from '../../test/support/open-service.js'
import { scriptedAgent } from '../../test/support/scripted-agent.js'

const SEND = { version: '1.0', signal: new AbortController().signal } as const
const ALICE = { owner: 'alice', authenticated: true }
const BOB = { owner: 'bob', authenticated: true }

const message = (said: string) =>
  ({ messageId: said, role: 'ROLE_USER', contextId: 'shared-id', parts: [{ text: said }] }) as const

test('a later task of the context is shown the earlier ones, and another owner of the same id nothing', async () => {
  const { agent, asked } = scriptedAgent([[{ kind: 'text', text: 'Your number is 42.' }]])
  const { service } = openService(() => agent)
  await service.send(ALICE, { message: message('what is my number') }, SEND)
  await service.send(ALICE, { message: message('say it again') }, SEND)
  await service.send(BOB, { message: message('and mine') }, SEND)
  const views = asked.map(({ messages }) => messages.map(({ blocks }) => plainText(blocks)).join('\n'))
  expect(views[1]).toContain('Answered: Your number is 42.')
  expect(views[2]).not.toMatch(/42|my number/)
})

test('what was remembered is no part of the message that comes back', async () => {
  const { agent } = scriptedAgent([[{ kind: 'text', text: 'first' }]])
  const { service } = openService(() => agent)
  await service.send(ALICE, { message: message('one') }, SEND)
  const sent = await service.send(ALICE, { message: message('two') }, SEND)
  expect('task' in sent && sent.task.history?.[0]?.parts).toEqual([{ text: 'two' }])
})
