import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { keptPorts } from '../../src/cases/kept-ports.js'
import type { Delegator } from './delegator.js'
import { delegator } from './delegator.js'
import { stateAtPeer } from './state-at-peer.js'
import type { StockServer } from './stock-servers.js'

/** Tests that every server passes which speaks A2A, whoever made it. Called inside a `describe`. */
export function worksWith(start: () => Promise<StockServer>): void {
  let server: StockServer
  let host: Delegator
  const peer = () => ({ name: 'stock', url: server.url, allow: [server.host], limits: { firstPollMs: 20 } })

  beforeAll(async () => {
    server = await start()
  }, 30_000)
  afterAll(() => server.stop())
  beforeEach(() => {
    host = delegator(peer())
  })
  afterEach(() => host.close())

  test('gives its artifact back', async () => {
    const runId = await host.start('echo of the hills')
    expect((await host.engine.drive(runId)).state).toBe('completed')
    expect(await host.text(runId)).toBe('echo of the hills')
    expect((await host.call(runId)).provenance).toEqual({ source: 'peer', name: 'stock', trust: 'untrusted' })
  })

  test('sends an artifact in chunks, which become one text', async () => {
    const runId = await host.start('chunks')
    await host.engine.drive(runId)
    expect(await host.text(runId)).toBe('one two three')
  })

  test('asks, is answered after a restart of ours, and goes on with the same task', async () => {
    const ports = keptPorts()
    await host.close()
    host = delegator(peer(), { ports, brief: 'ask' })
    const runId = await host.start('ask')
    const parked = await host.engine.drive(runId)
    expect(parked.state).toBe('input-required')
    const [asked] = parked.inputs.values()
    expect(asked).toMatchObject({ kind: 'question', prompt: 'stock asks: Which blue?', via: { peer: 'stock' } })
    await host.close()

    host = delegator(peer(), { ports, brief: 'ask' })
    await host.engine.answer(runId, asked!.requestId, 'navy')
    await host.engine.drive(runId)
    expect(await host.text(runId)).toBe('blue is navy')
  })

  test('waits on a question; the run is canceled by another process, and so is the task', async () => {
    const ports = keptPorts()
    await host.close()
    host = delegator(peer(), { ports, brief: 'ask' })
    const runId = await host.start('ask')
    await host.engine.drive(runId)
    await host.close()

    host = delegator(peer(), { ports, brief: 'ask' })
    await host.engine.cancel(runId, 'not needed any more')
    expect((await host.engine.drive(runId)).state).toBe('canceled')
    expect(await stateAtPeer(peer(), host, runId)).toBe('canceled')
  })

  test('fails, and its words are the failure', async () => {
    const runId = await host.start('fail')
    await host.engine.drive(runId)
    expect(await host.call(runId)).toMatchObject({ outcome: 'failed', error: { code: 'peer-task-failed' } })
    expect(await host.text(runId)).toContain('the disk is full')
  })

  test('is told to stop when the run is canceled', async () => {
    const runId = await host.start('never')
    for await (const item of host.engine.follow(runId))
      if (item.kind === 'event' && item.event.kind === 'call-handle') break
    await host.engine.cancel(runId, 'not needed any more')
    expect((await host.engine.drive(runId)).state).toBe('canceled')
    expect(await stateAtPeer(peer(), host, runId)).toBe('canceled')
  })
}
