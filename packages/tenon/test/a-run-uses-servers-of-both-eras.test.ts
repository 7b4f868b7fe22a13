import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, type Place, place } from './tenon-process.js'

const WAREHOUSE = fileURLToPath(new URL('mcp/warehouse-server.mjs', import.meta.url))
const FILES = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')

/** A server that goes on when whoever uses it is killed. */
async function warehouse(
  here: Place,
): Promise<{ readonly url: string; readonly begun: string; readonly gate: string }> {
  const begun = join(here.folder, 'begun.txt')
  const gate = join(here.folder, 'gate.txt')
  const child = spawn(process.execPath, [WAREHOUSE, begun, gate], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve) => {
    child.stdout.once('data', (data: Buffer) => resolve((JSON.parse(data.toString('utf8')) as { url: string }).url))
  })
  return { url, begun, gate }
}

const REHEARSAL = `rehearsal: stock
scenes:
  - name: both
    when: { turns: 0 }
    say:
      calls:
        - { tool: files__read_text_file, args: { path: prices.txt } }
        - { tool: warehouse__count, args: { item: chairs } }
  - name: answer
    when:
      turns: 1
      results:
        - { tool: files__read_text_file, contains: [chair costs 40] }
        - { tool: warehouse__count, contains: [36 chairs] }
    say: { text: 36 chairs at 40 each are worth 1440. }
`

async function prepare(here: Place): Promise<Awaited<ReturnType<typeof warehouse>>> {
  const server = await warehouse(here)
  here.write('prices.txt', 'A chair costs 40.\n')
  here.write('r.yaml', REHEARSAL)
  here.write(
    'tenon.yaml',
    `mcp:
  servers:
    files:
      command: ${JSON.stringify(process.execPath)}
      args: [${JSON.stringify(FILES)}, .]
      allow: ["read_*"]
    warehouse:
      url: ${server.url}
      allow: [count]
`,
  )
  return server
}

test('a question that needs a legacy server over its pipes and a modern one over HTTP is answered', async () => {
  const here = place()
  const { gate, begun } = await prepare(here)
  writeFileSync(gate, '')
  const run = await here.tenon(['run', 'What is the price of all chairs?', '--rehearsal', 'r.yaml'])
  expect(run.stderr).toContain('warehouse__count')
  expect(run).toMatchObject({ code: 0, stdout: '36 chairs at 40 each are worth 1440.\n' })
  expect(readFileSync(begun, 'utf8')).toBe('task-1\n')
})

test('killed in the middle of a task and started again, the run finds the task and does not begin another', async () => {
  const here = place()
  const { gate, begun } = await prepare(here)
  const first = here.start(['run', 'What is the price of all chairs?', '--rehearsal', 'r.yaml', '--json'])
  await first.printed('"kind":"call-handle"')
  first.child.kill('SIGKILL')
  await first.ended
  expect(existsSync(begun)).toBe(true)
  writeFileSync(gate, '')
  const again = await here.tenon(['runs', 'resume', 'last', '--json'])
  const events = eventsOf(again.stdout)
  expect(again.stderr).toContain('(allowed, going on)')
  expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed' })
  expect(readFileSync(begun, 'utf8')).toBe('task-1\n')
})
