import { systemClock } from '@tenon/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../test/support/open-service.js'
import { hostile } from '../../../test/support/scripted-peer.js'
import { Access } from '../../access/access.js'
import { staticBearer } from '../../access/static-schemes.js'
import { FIXTURE, fixtureAgent } from '../../cases/fixture-agent.js'
import { A2AEndpoint } from '../../server/a2a-endpoint.js'
import { openGrpcServer } from '../../server/grpc/grpc-server.js'
import { Peer, type PeerConfig } from '../peer.js'
import type { PeerEvent } from '../peer-task.js'
import type { PeerWire } from '../wire/peer-wire.js'
import { grpcAddress } from './grpc-address.js'

const soon = (): AbortSignal => AbortSignal.timeout(5_000)

/** The fixture agent over gRPC. @returns its `host:port` and how it is stopped */
async function served(access = new Access([])) {
  const { service } = openService(() => fixtureAgent(() => undefined), { agent: FIXTURE })
  const server = await openGrpcServer(
    new A2AEndpoint({ service, url: 'http://127.0.0.1:1', access, grpcUrl: '127.0.0.1:1' }),
    {
      host: '127.0.0.1',
      port: 0,
    },
  )
  onTestFinished(() => server.close())
  return { at: `127.0.0.1:${server.port}`, stop: () => server.close() }
}

/** The way to a peer whose card names this address for gRPC, and nothing else. */
async function wireTo(url: string, more: Partial<PeerConfig> = {}): Promise<PeerWire> {
  const { peer } = await hostile(
    () => undefined,
    () => ({ supportedInterfaces: [{ url, protocolBinding: 'GRPC', protocolVersion: '1.0' }] }),
  )
  const made = new Peer({ ...peer, allow: [...(peer.allow ?? []), '127.0.0.1'], ...more }, systemClock)
  onTestFinished(() => made.close())
  return (await made.link(soon())).wire
}

const message = (text: string) => ({ message: { messageId: crypto.randomUUID(), parts: [{ text }] } })

async function all(events: AsyncIterable<PeerEvent>): Promise<PeerEvent[]> {
  const seen: PeerEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

async function taskOf(wire: PeerWire, text: string): Promise<string> {
  const [first] = await all(wire.send(message(text), false, soon()))
  if (first?.kind !== 'task') throw new Error(`${first?.kind} came in place of a task`)
  return first.task.id
}

test('a stream tells the task, its artifact and its end', async () => {
  const wire = await wireTo((await served()).at)
  const events = await all(wire.send(message('chunks 2'), true, soon()))
  expect(events.map(({ kind }) => kind)).toEqual(['task', 'status', 'artifact', 'artifact', 'status'])
  expect(events.at(-1)).toMatchObject({ status: { state: 'completed' } })
})

test('errors keep the reason that the specification gives them', async () => {
  const wire = await wireTo((await served()).at)
  await expect(wire.get('no-such-task', soon())).rejects.toMatchObject({ code: 'peer-task-lost' })
  const id = await taskOf(wire, 'ask Which? then finish')
  await wire.cancel(id, soon())
  await expect(all(wire.subscribe(id, soon()))).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' })
  const ended = await all(wire.send(message('echo x'), true, soon()))
  const task = ended[0]?.kind === 'task' ? ended[0].task.id : ''
  await expect(wire.cancel(task, soon())).rejects.toMatchObject({ reason: 'TASK_NOT_CANCELABLE' })
})

test('credentials are sent with each call, and who has none is told so', async () => {
  const access = new Access([staticBearer([{ token: 't', owner: 'alice' }])])
  const { at } = await served(access)
  await expect(all((await wireTo(at)).send(message('echo x'), true, soon()))).rejects.toMatchObject({
    code: 'peer-unauthenticated',
  })
  const wire = await wireTo(at, { credentials: () => ({ Authorization: 'Bearer t' }) })
  expect((await all(wire.send(message('echo x'), true, soon()))).at(-1)).toMatchObject({
    status: { state: 'completed' },
  })
})

test('a peer that is not there has seen nothing, and one that went away may have', async () => {
  const { at, stop } = await served()
  const wire = await wireTo(at)
  const id = await taskOf(wire, 'ask Which? then finish')
  const following = wire.subscribe(id, soon())
  await following.next()
  stop()
  await expect(following.next()).rejects.toMatchObject({ code: 'peer-unavailable', mayHaveRun: true })
  await expect(wire.get(id, soon())).rejects.toMatchObject({ code: 'peer-unavailable', mayHaveRun: false })
})

test('a message that is too large is not read', async () => {
  const wire = await wireTo((await served()).at, { limits: { eventBytes: 1_000 } })
  await expect(all(wire.send(message(`echo ${'x'.repeat(2_000)}`), true, soon()))).rejects.toMatchObject({
    code: 'peer-response-too-large',
  })
})

test('whoever leaves a stream gets what made it leave', async () => {
  const wire = await wireTo((await served()).at)
  const leave = new AbortController()
  const reading = (async () => {
    for await (const _ of wire.send(message('never'), true, leave.signal)) leave.abort(new Error('enough'))
  })()
  await expect(reading).rejects.toThrow('enough')
})

test('a name that leads to this machine is refused unless it is allowed', async () => {
  const wire = await wireTo('https://localhost:1', { allow: ['127.0.0.1'] })
  await expect(wire.get('t', soon())).rejects.toMatchObject({ code: 'peer-address-forbidden' })
})

test.each([
  ['agents.example:443', [], false],
  ['https://agents.example', [], false],
  ['agents.internal:50051', ['agents.internal'], true],
  ['http://agents.internal:50051', ['agents.internal'], true],
  ['https://agents.internal:50051', ['agents.internal'], false],
])('%s, with %j allowed, is spoken to without TLS: %s', (written, allowed, isPlain) => {
  expect(grpcAddress(written, allowed, 'It').isPlain).toBe(isPlain)
})

test.each(['127.0.0.1:50051', '[::1]:50051', 'http://169.254.169.254:80', 'unix:///run/agent.sock', 'dns://x/y'])(
  '%s is no address to go to',
  (written) => {
    expect(() => grpcAddress(written, [], 'It')).toThrow(expect.objectContaining({ code: 'peer-address-forbidden' }))
  },
)
