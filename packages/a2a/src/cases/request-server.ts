import { createHash, createPublicKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine, type Inbox, type Journal, type JsonObject, type RunId } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { Access } from '../access/access.js'
import { staticBearer } from '../access/static-schemes.js'
import type { AgentCapabilities, AgentFacts } from '../cards/agent-facts.js'
import { CardSigner } from '../cards/card-signer.js'
import { PushDesk } from '../push/push-desk.js'
import { PushSender } from '../push/push-sender.js'
import { SecretSeal } from '../push/secret-seal.js'
import { A2AEndpoint } from '../server/a2a-endpoint.js'
import { A2ASite } from '../server/a2a-site.js'
import { type ExposedAgent, TASK_LIMITS } from '../tasks/exposed-agent.js'
import { TaskKeeper } from '../tasks/task-keeper.js'
import { TaskService } from '../tasks/task-service.js'
import { type ArrivesLater, FIXTURE, fixtureAgent, type Touch } from './fixture-agent.js'

/** `given.server` of a request case: what differs from the usual server. */
export type ServerSettings = {
  readonly streaming?: boolean
  readonly push?: boolean
  readonly auth?: 'bearer'
  readonly extendedCard?: 'none' | 'declared' | 'configured'
  readonly extensions?: AgentCapabilities['extensions']
  readonly versions?: readonly ('1.0' | '0.3')[]
  readonly inputModes?: readonly string[]
  readonly bodyLimit?: number
  readonly pushAllow?: readonly string[]
  readonly tenants?: readonly string[]
  readonly signedCard?: boolean
  readonly openTasks?: number
  readonly grpc?: boolean
}

export type RequestServer = {
  readonly origin: string
  readonly urls: Readonly<Record<string, string>>
  readonly engine: Engine
  /** True where the card is signed by the key that this server publishes. */
  verifyCard(card: JsonObject): boolean
  stop(): Promise<void>
}

const FACTS: AgentFacts = {
  name: 'Fixture',
  description: 'Does what the request cases tell it.',
  version: '1.0.0',
  skills: [{ id: 'commands', name: 'Commands', description: 'Carries out one command.', tags: ['fixture'] }],
}

const EXTENDED: AgentFacts = {
  ...FACTS,
  skills: [...FACTS.skills, { id: 'extended', name: 'Extended', description: 'For known callers.', tags: ['fixture'] }],
}

const CALLERS = [
  { token: 'alice-token', owner: 'alice' },
  { token: 'bob-token', owner: 'bob' },
  { token: 'carol-token', owner: 'carol', allowed: false },
]

/** Where a server stands that shares its store with others. */
export type SharedPlace = {
  readonly dir: string
  /** Seals secrets for all who share the store. */
  readonly sealKey: Uint8Array
  readonly journal: (own: Journal) => Journal
  readonly inbox?: (own: Inbox) => Inbox
  readonly touch: Touch
}

/**
 * A server as it ships, around the fixture agent, on a store of its own or on a shared one. `verify` checks a card
 * against a public key.
 */
export async function startRequestServer(
  settings: ServerSettings,
  verify: (card: JsonObject, key: ReturnType<typeof createPublicKey>) => boolean,
  place?: SharedPlace,
): Promise<RequestServer> {
  const dir = place?.dir ?? mkdtempSync(join(tmpdir(), 'tenon-a2a-'))
  const store = openStore({ dir })
  const timers = new Set<NodeJS.Timeout>()
  const later: ArrivesLater = (runId, ms) => timers.add(setTimeout(() => void grant(engine, runId), ms))
  const agent = fixtureAgent(later, place?.touch)
  const engine = createEngine({
    ...store,
    journal: place?.journal(store.journal) ?? store.journal,
    inbox: place?.inbox?.(store.inbox) ?? store.inbox,
    agents: (name) => (name === FIXTURE ? agent : undefined),
    digest: (text) => createHash('sha256').update(text).digest('hex'),
  })
  const allowed = settings.pushAllow ?? []
  const seal = new SecretSeal(place?.sealKey ?? randomBytes(32))
  const push = new PushDesk({ targets: store.pushes, seal, allowed })
  const sender = new PushSender({ store, seal, allowed })
  const service = new TaskService(exposedOf(settings), { engine, store, push })
  const http = createServer((request, response) => {
    void site.serve(request, response).then((known) => {
      if (!known) response.writeHead(404).end()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const signer = settings.signedCard ? new CardSigner(CardSigner.newKey(), 'k1') : undefined
  const grpcPort = settings.grpc ? await freePort() : undefined
  const endpoint = new A2AEndpoint({
    service,
    url: `${origin}/a2a/${FIXTURE}`,
    access: new Access(settings.auth === 'bearer' ? [staticBearer(CALLERS)] : []),
    ...(signer === undefined ? {} : { signer }),
    ...(grpcPort === undefined ? {} : { grpcUrl: `127.0.0.1:${grpcPort}` }),
    ...(settings.versions === undefined ? {} : { versions: settings.versions }),
    ...(settings.bodyLimit === undefined ? {} : { bodyLimit: settings.bodyLimit }),
  })
  const site = new A2ASite({
    endpoints: new Map([[`/a2a/${FIXTURE}`, endpoint]]),
    first: endpoint,
    ...(signer === undefined ? {} : { signer }),
  })
  const grpc = grpcPort === undefined ? undefined : await openGrpc(endpoint, grpcPort)
  const keeper = new TaskKeeper({ engine, store, everyMs: 100 })
  keeper.start()
  sender.start()
  const rpc = `${origin}/a2a/${FIXTURE}/rpc`
  const rest = `${origin}/a2a/${FIXTURE}/rest`
  return {
    origin,
    urls: { 'jsonrpc 1.0': rpc, 'rest 1.0': rest, 'jsonrpc 0.3': rpc, 'rest 0.3': rest },
    engine,
    verifyCard: (card) => signer !== undefined && verify(card, publicKeyOf(signer)),
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      grpc?.close()
      http.closeAllConnections()
      await new Promise<void>((resolve) => http.close(() => resolve()))
      keeper.stop()
      await sender.stop()
      await engine.close()
      store.close()
      if (place === undefined) rmSync(dir, { recursive: true, force: true })
    },
  }
}

function exposedOf(settings: ServerSettings): ExposedAgent {
  const { extendedCard = 'none' } = settings
  return {
    agent: FIXTURE,
    facts: FACTS,
    capabilities: {
      streaming: settings.streaming ?? true,
      pushNotifications: settings.push ?? true,
      ...(extendedCard === 'none' ? {} : { extendedCard: extendedCard === 'declared' ? extendedCard : EXTENDED }),
      ...(settings.extensions === undefined ? {} : { extensions: settings.extensions }),
    },
    ...(settings.inputModes === undefined ? {} : { inputModes: settings.inputModes }),
    outputModes: ['text/plain', 'application/json'],
    whileWorking: 'queue',
    answers: ({ parts: [first] }) =>
      first !== undefined && 'text' in first && /^reply /.test(first.text) ? 'message' : 'task',
    ...(settings.tenants === undefined ? {} : { tenants: settings.tenants }),
    limits: { ...TASK_LIMITS, ...(settings.openTasks === undefined ? {} : { openTasks: settings.openTasks }) },
  }
}

async function grant(engine: Engine, runId: RunId): Promise<void> {
  const run = await engine.state(runId)
  for (const request of run.inputs.values()) await engine.answer(runId, request.requestId, 'granted', 'fixture')
}

/** Loaded only where it is wanted. */
async function openGrpc(endpoint: A2AEndpoint, port: number) {
  const { openGrpcServer } = await import('../server/grpc/grpc-server.js')
  return openGrpcServer(endpoint, { host: '127.0.0.1', port })
}

/** One that nobody listened on a moment ago: the card names it before it is listened on. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

function publicKeyOf(signer: CardSigner): ReturnType<typeof createPublicKey> {
  const [key = {}] = (signer.keySet() as unknown as { readonly keys: readonly Record<string, unknown>[] }).keys
  return createPublicKey({ key, format: 'jwk' })
}
