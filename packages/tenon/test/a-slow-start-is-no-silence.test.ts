import { expect, test } from 'vitest'
import { place, WRITING } from './tenon-process.js'

const slow = { command: 'node', args: ['-e', 'setInterval(() => {}, 1000)'], startTimeout: '3s' }

test('a command that waits for a server says so, on standard error alone, and goes on', async () => {
  const here = place()
  here.write('r.yaml', WRITING)
  here.write('tenon.yaml', JSON.stringify({ mcp: { wait: '10s', servers: { slow } } }))
  const [run, doctor, list] = await Promise.all([
    here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes']),
    here.tenon(['doctor', '--json', '--rehearsal', 'r.yaml']),
    here.tenon(['mcp', 'list']),
  ])
  expect(run).toMatchObject({ code: 0, stdout: 'It is written.\n' })
  expect(run.stderr).toMatch(/^working: starting up \(\d\.\d s\)\n/)
  expect(doctor.stderr).toMatch(/^working: looking at everything \(\d\.\d s\)\n/)
  expect(JSON.parse(doctor.stdout).findings).toMatchObject([{ rule: 'server-does-not-answer' }])
  expect(list.stderr).toMatch(/^working: opening the servers \(\d\.\d s\)\n/)
  expect(list.stdout).toMatch(/^slow\s+failed/)
})
