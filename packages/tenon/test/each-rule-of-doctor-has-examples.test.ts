import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { doctor } from '../src/cli/commands/doctor.js'
import { COMPOSITION_RULES } from '../src/doctor/composition-rules.js'
import { temporaryFolder } from './kit/temporary-folder.js'

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', 'examples', 'doctor')
const REHEARSAL = join(EXAMPLES, 'rehearsal.yaml')

type Told = {
  readonly checks: readonly { readonly state: string; readonly about: string; readonly text: string }[]
  readonly findings: readonly {
    readonly rule: string
    readonly severity: string
    readonly where: string
    readonly text: string
  }[]
}

/** Looks at an example as `tenon doctor --json` does, as a user who has nothing but that folder. */
async function examine(folder: string, strict = false): Promise<Told & { readonly code: number }> {
  const home = temporaryFolder()
  const stdout = new PassThrough()
  const said = text(stdout)
  const card = join(folder, 'card.json')
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    RESEARCH_KEY: 'key-of-the-example',
    ...(existsSync(card) ? { PEER_URL: await cardServer(card) } : {}),
  }
  const io = { stdin: process.stdin, stdout, stderr: new PassThrough(), environment, cwd: folder }
  const code = await doctor(io, { json: true, strict, rehearsal: REHEARSAL, store: join(home, 'store') })
  stdout.end()
  return { code, ...(JSON.parse(await said) as Told) }
}

/** What `tenon doctor` prints in a pipe. */
async function printed(folder: string): Promise<string> {
  const home = temporaryFolder()
  const stdout = new PassThrough()
  const said = text(stdout)
  const environment = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }
  const io = { stdin: process.stdin, stdout, stderr: new PassThrough(), environment, cwd: folder }
  await doctor(io, { rehearsal: REHEARSAL, store: join(home, 'store') })
  stdout.end()
  return said
}

async function cardServer(card: string): Promise<string> {
  const child = spawn(process.execPath, [join(EXAMPLES, 'card-server.mjs'), card], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const [line] = await new Promise<string[]>((resolve) =>
    child.stdout.setEncoding('utf8').once('data', (said: string) => resolve(said.split('\n'))),
  )
  return line ?? expect.unreachable()
}

test('every rule has a folder of examples, and every folder a rule', () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual(COMPOSITION_RULES.map(({ id }) => id).sort())
})

test.each(COMPOSITION_RULES)('$id is found where it is broken', async ({ id, severity }) => {
  const { code, findings } = await examine(join(EXAMPLES, id, 'found'))
  expect(findings.map(({ rule }) => rule)).toContain(id)
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set([id]))
  expect(code).toBe(severity === 'error' ? 1 : 0)
})

test.each(COMPOSITION_RULES)('$id is content where it is mended', async ({ id }) => {
  const { code, findings, checks } = await examine(join(EXAMPLES, id, 'fine'), true)
  expect(findings).toEqual([])
  expect(checks.filter(({ state }) => state === 'bad')).toEqual([])
  expect(code).toBe(0)
})

test('for people a finding says where, why, what is better and how to mend it', async () => {
  const told = await printed(join(EXAMPLES, 'skill-in-a-server', 'found'))
  expect(told).toMatch(
    /^warning skill-in-a-server: A method is .*\n( {2}mcp\.servers\.refunds: .*\n){2} {2}Why: .*\n {2}Better: a skill: .*\n {2}Fix: /m,
  )
})

test('a warning fails under --strict only', async () => {
  const folder = join(EXAMPLES, 'tool-says-too-little', 'found')
  expect((await examine(folder)).code).toBe(0)
  expect((await examine(folder, true)).code).toBe(1)
})

test.each(['code-review', 'quality-report'])('the doctor is content with our example %s', async (example) => {
  const { code, findings } = await examine(join(EXAMPLES, '..', example), true)
  expect(findings).toEqual([])
  expect(code).toBe(0)
})
