import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { place } from './tenon-process.js'

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', 'examples', 'doctor')

/** Takes connections and never says a word. */
async function silentPeer(): Promise<string> {
  const server = createServer(() => undefined)
  onTestFinished(() => void server.close())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a silent server, one that ends at once and a silent peer are told beside a healthy one', async () => {
  const here = place()
  const file = join(EXAMPLES, 'server-does-not-answer', 'server.mjs')
  here.write(
    'tenon.yaml',
    JSON.stringify({
      agents: { assistant: { limits: { tokens: 100_000 } } },
      mcp: {
        wait: '30s',
        servers: {
          silent: { command: 'node', args: ['-e', 'setInterval(() => {}, 1000)'], startTimeout: '1s' },
          broken: { command: 'node', args: [file, 'broken'] },
          healthy: { command: 'node', args: [file, 'ready'], era: 'modern' },
        },
      },
      peers: { quiet: { url: await silentPeer() } },
    }),
  )
  const { code, stdout } = await here.tenon(['doctor', '--json', '--rehearsal', join(EXAMPLES, 'rehearsal.yaml')])
  const { findings, project } = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(findings.map(({ rule, where }: { rule: string; where: string }) => [rule, where])).toEqual([
    ['server-does-not-answer', 'mcp.servers.silent'],
    ['server-does-not-answer', 'mcp.servers.broken'],
    ['peer-does-not-answer', 'peers.quiet'],
  ])
  expect(project.servers).toMatchObject([
    { name: 'silent', state: 'failed', tools: [] },
    { name: 'broken', state: 'failed', error: 'mcp-start-failed' },
    {
      name: 'healthy',
      state: 'ready',
      era: 'modern',
      version: '2026-07-28',
      tools: ['healthy__order_status'],
      error: null,
    },
  ])
  expect(project.peers).toMatchObject([{ name: 'quiet', card: null, error: 'peer-card-unreachable' }])
})
