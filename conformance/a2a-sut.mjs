// node conformance/a2a-sut.mjs [PORT] [VERSIONS]: our A2A server around an agent that does what the public kit (a2a-tck) tells it
// by the beginning of a message id. The kit is run by hand against it; see docs/a2a.md.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  A2AEndpoint,
  A2ASite,
  Access,
  DELIVERY,
  deliverableValue,
  PushDesk,
  PushSender,
  SecretSeal,
  TASK_LIMITS,
  TaskService,
} from '@tenon/a2a'
import { openGrpcServer } from '@tenon/a2a/grpc'
import { createEngine, ROOT_SCOPE } from '@tenon/kernel'
import { openStore } from '@tenon/store'

const NAME = 'tck'
const [, , wantedPort = '9999', versions = '1.0,0.3'] = process.argv
const port = Number(wantedPort)
const dir = mkdtempSync(join(tmpdir(), 'tenon-tck-'))
const store = openStore({ dir })

const text = (value) => ({ parts: [{ text: value }] })
const file = { raw: Buffer.from('tck').toString('base64'), filename: 'output.txt', mediaType: 'text/plain' }

/** The kit for 0.3 names no scenario and expects tasks that can be continued and canceled. */
const OTHERWISE = versions === '1.0' ? [text('Unhandled')] : [{ ask: 'What else?' }]

/** What is done for a message id that begins so: calls, in order. */
const SCENARIOS = [
  ['tck-stream-artifact-chunked', [text('chunk-1 '), { ...text('chunk-2'), append: true, lastChunk: true }]],
  ['test-resubscribe-message-id', [{ wait: 4_000 }]],
  ['tck-stream-artifact-text', [text('Streamed text content')]],
  ['tck-stream-artifact-file', [{ parts: [file] }]],
  ['tck-stream-ordering-001', [text('Ordered output')]],
  ['tck-stream-001', [text('Stream hello from TCK')]],
  ['tck-stream-002', []],
  ['tck-stream-003', [text('Stream task lifecycle')]],
  [
    'tck-artifact-file-url',
    [{ parts: [{ url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' }] }],
  ],
  ['tck-artifact-file', [{ parts: [file] }]],
  ['tck-artifact-text', [text('Generated text content')]],
  ['tck-artifact-data', [{ parts: [{ data: { key: 'value', count: 42 } }] }]],
  ['tck-input-required', [{ ask: 'What else?' }]],
  ['tck-complete-task', [text('Hello from TCK')]],
]

const messageId = (run) => String(run.submission.goal.blocks[0]?.raw?.messageFrame?.messageId ?? '')

const planner = {
  name: NAME,
  version: 1,
  next(run) {
    const id = messageId(run)
    if (id.startsWith('tck-reject-task')) return [{ kind: 'reject', message: 'rejected' }]
    const said = 'Direct message response'
    if (id.startsWith('tck-message-response')) return [{ kind: 'finish', blocks: [{ kind: 'text', text: said }] }]
    const steps = SCENARIOS.find(([prefix]) => id.startsWith(prefix))?.[1] ?? OTHERWISE
    const { ready, openCalls } = run.scope(ROOT_SCOPE)
    const asksOn = steps === OTHERWISE && versions !== '1.0'
    if (run.turnCount === 0 || (asksOn && ready.size === 0 && openCalls === 0))
      return [
        {
          kind: 'write',
          scope: ROOT_SCOPE,
          purpose: 'act',
          blocks: steps.map((args) => ({ tool: args.wait ? 'wait' : args.ask ? 'ask' : 'deliver', args })),
        },
      ]
    if (ready.size > 0) return [...ready].map((callId) => ({ kind: 'call', callId }))
    return openCalls > 0 ? [] : [{ kind: 'finish', blocks: [] }]
  },
}

const input = { json: { type: 'object' }, check: (value) => ({ ok: true, value }) }
const tool = { description: '', input, effect: 'pure', origin: { kind: 'function', name: NAME } }

const tools = [
  {
    ...tool,
    name: 'deliver',
    origin: DELIVERY,
    run: ({ parts, append = false, lastChunk = false }) => ({
      kind: 'result',
      content: [],
      value: deliverableValue({ artifact: { artifactId: 'a1', parts }, append, lastChunk }),
    }),
  },
  {
    ...tool,
    name: 'wait',
    async run({ wait }) {
      await new Promise((done) => setTimeout(done, wait))
      return { kind: 'result', content: [], value: null }
    },
  },
  {
    ...tool,
    name: 'ask',
    async *run({ ask }, { answers }) {
      if (answers.length === 0)
        yield { kind: 'needs-input', needs: [{ key: 'q', kind: 'question', prompt: ask, resume: null }] }
      else yield { kind: 'result', content: [], value: null }
    },
  },
]

const agent = {
  name: NAME,
  model: { author: { provider: NAME, model: NAME, dialect: NAME }, contextWindow: 1_000, generate: () => [] },
  tools,
  planner,
  policy: { rules: [], otherwise: 'allow' },
  frame: [],
  limits: {},
}
const engine = createEngine({
  ...store,
  agents: (name) => (name === NAME ? agent : undefined),
  digest: (value) => createHash('sha256').update(value).digest('hex'),
})
const seal = new SecretSeal(new Uint8Array(32))
const allowed = ['127.0.0.1', 'localhost', 'example.com']
const push = new PushDesk({ targets: store.pushes, seal, allowed })
const sender = new PushSender({ store, seal, allowed })
const service = new TaskService(
  {
    agent: NAME,
    facts: {
      name: 'Tenon under test',
      description: 'Does what the kit tells it.',
      version: '1.0.0',
      skills: [{ id: NAME, name: NAME, description: 'The scenarios of the kit.', tags: [NAME] }],
    },
    capabilities: { streaming: true, pushNotifications: true },
    outputModes: ['text/plain'],
    whileWorking: 'queue',
    answers: (message) => (message.messageId.startsWith('tck-message-response') ? 'message' : 'task'),
    limits: { ...TASK_LIMITS, openTasks: 100_000 },
  },
  { engine, store, push },
)
const base = `/a2a/${NAME}`
const endpoint = new A2AEndpoint({
  service,
  url: `http://127.0.0.1:${port}${base}`,
  access: new Access([]),
  versions: versions.split(','),
  grpcUrl: `127.0.0.1:${port + 1}`,
  report: (error) => console.error(error),
})
const site = new A2ASite({ endpoints: new Map([[base, endpoint]]), first: endpoint })
const server = createServer(async (request, response) => {
  if (!(await site.serve(request, response))) response.writeHead(404).end()
})
server.listen(port, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` })))
const grpc = await openGrpcServer(endpoint, { host: '127.0.0.1', port: port + 1 })
sender.start()

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    grpc.close()
    server.closeAllConnections()
    server.close()
    await sender.stop()
    await engine.close()
    store.close()
    rmSync(dir, { recursive: true, force: true })
  })
