import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createEngine,
  type Engine,
  type Model,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  plainText,
  RunId,
  react,
} from '@tenon/kernel'
import { McpHost, memoryPins } from '@tenon/mcp'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../src/host/sha256.js'
import { ajvCompiler } from '../src/schema/ajv-compiler.js'

const SERVER = fileURLToPath(new URL('mcp/old-server.mjs', import.meta.url))

/** Calls the tool once and says what came of it. */
const model: Model = {
  author: { provider: 'test', model: 'test', dialect: 'test' },
  contextWindow: 100_000,
  *generate({ messages }) {
    const last = messages.at(-1)
    const said = last?.role === 'tool' ? plainText(last.blocks.flatMap((block) => block.content)) : undefined
    yield {
      kind: 'block-ended',
      index: 0,
      block: said === undefined ? { kind: 'tool-call', name: 'old__order', args: {} } : { kind: 'text', text: said },
    }
    yield { kind: 'finished', finish: said === undefined ? 'tool-calls' : 'stop', usage: null, diagnostics: [] }
  },
}

async function start(): Promise<{ engine: Engine; log: () => string; host: McpHost }> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-mcp-'))
  const file = join(folder, 'log')
  const host = new McpHost({
    servers: [{ name: 'old', target: { kind: 'stdio', command: process.execPath, args: [SERVER, file] } }],
    compile: ajvCompiler,
    clientInfo: { name: 'test', version: '1' },
    pins: memoryPins(),
    capabilities: { elicitation: { form: {} } },
  })
  onTestFinished(async () => {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await host.settled(20_000)
  const agent = {
    name: 'a',
    model,
    tools: host.tools,
    planner: react(),
    policy: { rules: [], otherwise: 'allow' as const },
    frame: [],
    limits: {},
  }
  const engine = createEngine({
    journal: memoryJournal(),
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts: memoryArtifacts((bytes) => sha256(Buffer.from(bytes).toString('latin1'))),
    holder: 'test',
    agents: () => agent,
    digest: sha256,
  })
  return { engine, host, log: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') }
}

test('a question that a server pushes parks the run while its call stays open, and the answer goes into that call', async () => {
  const { engine, log } = await start()
  const runId = await engine.submit({ runId: RunId('run_1'), agent: 'a', goal: 'order' })
  await engine.drive(runId)
  const [request] = [...(await engine.state(runId)).inputs.values()]
  expect(request).toMatchObject({ kind: 'question', prompt: 'old: How many?' })
  if (request !== undefined) await engine.answer(runId, request.requestId, { count: 3 })
  await engine.drive(runId)
  const { ended } = await engine.state(runId)
  expect(ended?.state).toBe('completed')
  expect(plainText(ended?.blocks ?? [])).toBe('Ordered 3.')
  expect(log()).toBe('begun\naccept\n')
})

test('canceling a run that waits for such an answer cancels the call at the server', async () => {
  const { engine, log } = await start()
  const runId = await engine.submit({ runId: RunId('run_2'), agent: 'a', goal: 'order' })
  await engine.drive(runId)
  expect((await engine.state(runId)).inputs.size).toBe(1)
  await engine.cancel(runId, 'enough')
  await engine.drive(runId)
  expect((await engine.state(runId)).state).toBe('canceled')
  await expect.poll(log, { timeout: 5_000 }).toContain('cancelled')
})
