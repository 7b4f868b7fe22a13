import { expect, test } from 'vitest'
import { place } from './tenon-process.js'

const SERVER = `import { createInterface } from 'node:readline'
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
if (process.argv[2] === 'broken') throw new Error('no database at /srv/private/crm.db')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize')
    say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'crm', version: '1' } } })
  else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'look', inputSchema: { type: 'object' } }] } })
  else if (method === 'tools/call') throw new Error('no database at /srv/private/crm.db')
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'no' } })
})
`

const config = (...args: string[]): string =>
  `mcp: { servers: { crm: { command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify(['crm.mjs', ...args])} } } }\n`

const LOOKING = `rehearsal: looking
scenes:
  - { name: look, when: { turns: 0 }, say: { calls: [{ tool: crm__look, args: {} }] } }
  - { name: gone, when: { turns: 1 }, say: { text: The server is gone. } }
`

test('a server that crashes in a call tells the model so, and nothing of what it wrote', async () => {
  const here = place()
  here.write('crm.mjs', SERVER)
  here.write('tenon.yaml', config())
  here.write('r.yaml', LOOKING)
  const run = await here.tenon(['run', 'look', '--rehearsal', 'r.yaml', '--yes'])
  expect(run).toMatchObject({ code: 0, stdout: 'The server is gone.\n' })
  const { stdout: view } = await here.tenon(['runs', 'show', 'last', '--view', 't2', '--full'])
  expect(view).toContain('The process of crm ended with code 1.')
  expect(view).not.toMatch(/private|crm\.mjs|node:/)
})

test('whoever runs a server that does not start is told what it wrote', async () => {
  const here = place()
  here.write('crm.mjs', SERVER)
  here.write('tenon.yaml', config('broken'))
  here.write('r.yaml', LOOKING)
  const why = 'Error: no database at /srv/private/crm.db'
  const run = await here.tenon(['run', 'look', '--rehearsal', 'r.yaml', '--yes'])
  expect(run.stderr).toContain('crm did not start. The process of crm ended with code 1. tenon mcp list --log shows')
  expect((await here.tenon(['mcp', 'list', '--log'])).stdout).toContain(why)
  expect((await here.tenon(['doctor', '--rehearsal', 'r.yaml'])).stdout).toContain(why)
  const inspected = await here.tenon(['mcp', 'inspect', '--server', 'crm'])
  expect(inspected.code).toBe(1)
  expect(inspected.stderr).toContain(why)
  expect(inspected.stderr).not.toMatch(/^\s+at /m)
})
