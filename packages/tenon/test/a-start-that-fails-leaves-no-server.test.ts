import { expect, test } from 'vitest'
import { place, WRITING } from './tenon-process.js'

const server = { command: 'node', args: ['-e', 'setInterval(() => {}, 1000)'], startTimeout: '60s' }

test('a configuration that is found wrong after the servers were started ends them, and the command', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  const wrong = { output: { schema: { type: 'dict' } } }
  here.write('tenon.yaml', JSON.stringify({ agents: { a: wrong }, mcp: { wait: '1s', servers: { server } } }))
  const run = await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).toContain('agents.a.output.schema')
})
