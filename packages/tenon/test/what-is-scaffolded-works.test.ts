import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scaffold } from '../src/scaffold/scaffold.js'
import { temporaryFolder } from './kit/temporary-folder.js'
import { type Ended, type Place, place } from './tenon-process.js'

const root = join(import.meta.dirname, '..', '..', '..')
const EXAMPLES = join(root, 'examples', 'doctor')

/** An empty project in which `tenon` and the official MCP SDK are installed. */
function project(): Place {
  const here = place()
  symlinkSync(join(root, 'node_modules'), join(here.folder, 'node_modules'), 'junction')
  return here
}

function node({ folder, environment }: Place, args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: folder, env: environment })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
}

async function cardServer(): Promise<string> {
  const card = join(EXAMPLES, 'peer-does-not-answer', 'fine', 'card.json')
  const child = spawn(process.execPath, [join(EXAMPLES, 'card-server.mjs'), card], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  return new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', (said: string) => resolve(said.trim())))
}

type Told = {
  readonly checks: readonly { readonly about: string }[]
  readonly findings: readonly { readonly rule: string; readonly severity: string }[]
}

test('each joint passes its own test beside all others, and the doctor is content', async () => {
  const here = project()
  const url = await cardServer()
  const made = [
    await here.tenon(['init', '--with', 'code', '--name', 'rates']),
    await here.tenon(['new', 'mcp-server', 'orders']),
    await here.tenon(['new', 'skill', 'weekly-report']),
    await here.tenon(['new', 'agent', 'reader']),
    await here.tenon(['new', 'peer', 'researcher', '--url', url]),
  ]
  for (const { code, stdout, stderr } of made) {
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('node --test')
    for (const file of stdout.trim().split('\n')) expect(existsSync(join(here.folder, file)), file).toBe(true)
  }
  const config = readFileSync(join(here.folder, 'tenon.yaml'), 'utf8')
  expect(config).toContain('# MCP servers: programs that run as you')
  expect(config).toContain('Finds and reads sources on a market')

  const tested = await node(here, ['--test', '--test-reporter', 'tap'])
  expect(tested.code, tested.stdout).toBe(0)
  expect(/^# pass (\d+)/m.exec(tested.stdout)?.[1]).toBe('9')

  const looked = await here.tenon(['doctor', '--json', '--strict', '--rehearsal', join(EXAMPLES, 'rehearsal.yaml')])
  expect(looked.stderr).toBe('')
  const { checks, findings } = JSON.parse(looked.stdout) as Told
  expect(checks.map(({ about }) => about)).toEqual(expect.arrayContaining(['mcp orders', 'skills', 'peer researcher']))
  expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([])
  expect(looked.code, looked.stdout).toBe(0)
})

test('where the library is not installed, the first thing to do is to install it', async () => {
  const here = place()
  const tool = await here.tenon(['init', '--with', 'code', '--name', 'rates'])
  expect(tool.stderr).toContain('Next:\n  npm install tenon\n  node --test\n')
  const server = await here.tenon(['new', 'mcp-server', 'orders'])
  expect(server.stderr).toContain('Next:\n  npm install --prefix servers/orders\n')
})

test('a peer that is not there leaves nothing behind', async () => {
  const here = project()
  const made = await here.tenon(['new', 'peer', 'researcher', '--url', 'http://127.0.0.1:9'])
  expect(made.code).not.toBe(0)
  expect(made.stderr).toContain('peer-card-unreachable')
  expect(existsSync(join(here.folder, 'tenon.yaml'))).toBe(false)
  expect(existsSync(join(here.folder, 'test'))).toBe(false)
})

test('what is there is never written over', async () => {
  const here = project()
  expect((await here.tenon(['new', 'tool', 'rates'])).code).toBe(0)
  const file = join(here.folder, 'tools', 'rates.mjs')
  const before = readFileSync(file, 'utf8')
  const again = await here.tenon(['new', 'tool', 'rates'])
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('tools/rates.mjs is there already and was left as it is')
  expect(readFileSync(file, 'utf8')).toBe(before)

  here.write('tenon.yaml', 'agents:\n  reader: { description: mine }\n')
  const taken = await here.tenon(['new', 'agent', 'reader'])
  expect(taken.code).toBe(2)
  expect(taken.stderr).toContain('agents.reader stands in tenon.yaml already')
  expect(existsSync(join(here.folder, 'test', 'reader.agent.test.mjs'))).toBe(false)
})

test('names that some part of a joint could not carry are refused', () => {
  const folder = temporaryFolder()
  for (const name of ['My Tool', '../out', 'a--b', '-a', 'x'.repeat(41)])
    expect(() => scaffold({ joint: 'skill', name, folder })).toThrow('is no name')
  expect(readdirSync(folder)).toEqual([])
})
