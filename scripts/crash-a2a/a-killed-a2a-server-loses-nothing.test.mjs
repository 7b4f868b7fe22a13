import { expect, test } from 'vitest'
import { acrossProcesses } from './across-processes.mjs'
import { killTheServerEverywhere } from './kill-the-server-everywhere.mjs'
import { messagesUnderFire } from './messages-under-fire.mjs'

test('a server that is killed at any event leaves its client and its webhook with every event', {
  timeout: 300_000,
}, async () => {
  const { points, failures } = await killTheServerEverywhere({ step: 5, offset: 2 })
  expect(failures).toEqual([])
  expect(points).toBeGreaterThan(1)
})

test('a message that is repeated because its server was killed is taken once', { timeout: 120_000 }, async () => {
  const { points, failures } = await messagesUnderFire({ step: 2, offset: 1 })
  expect(failures).toEqual([])
  expect(points).toBeGreaterThan(1)
})

test('a paused task is answered after all servers were killed, and cancel reaches the process that works', {
  timeout: 60_000,
}, async () => {
  expect(await acrossProcesses()).toEqual([])
})
