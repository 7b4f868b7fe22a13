import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { needsProgram } from '../../../test-support/needs.js'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const deployed = (name: string): string => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url))

const UNIT = readFileSync(deployed('tenon.service'), 'utf8')
const CONTAINER = readFileSync(deployed('Containerfile'), 'utf8')

const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT)?.[1] ?? ''
const jsonAfter = (word: string): string[] =>
  JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, 'm').exec(CONTAINER)?.[1] ?? '')

/** The words of a command line after `tenon serve`, on a port that is free. */
const onFreePort = (words: readonly string[]): readonly string[] =>
  words.slice(words.indexOf('serve') + 1).map((word) => (word === '4100' ? '0' : word))

const KEY = "serve: { access: { bearer: { me: '${TENON_KEY}' } } }"

test('the unit starts a server that keeps its store where the unit says, and ends before it is killed', async () => {
  const here = place()
  const [, folder] = /TENON_STORE=%S\/(\S+)/.exec(setting('Environment')) ?? []
  const store = `${here.folder}/state/${folder}`
  const server = await servedTenon(here, onFreePort(setting('ExecStart').split(' ')), { TENON_STORE: store })
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect(await server.end('SIGTERM')).toBe(0)
  expect(Number(setting('TimeoutStopSec')), 'more than effects under way are given').toBeGreaterThan(11)
  expect(existsSync(store)).toBe(true)
})

describe('systemd', () => {
  needsProgram('systemd-analyze')

  test('finds nothing wrong with the unit', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', deployed('tenon.service')])
    expect(stdout + stderr).toBe('')
  })
})

test('the container starts only with keys, and its health check tells', async () => {
  const command = onFreePort(jsonAfter('CMD'))
  const open = place()
  const refused = await open.tenon(['serve', ...command])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('add serve.access')])
  const here = place()
  here.write('tenon.yaml', KEY)
  const server = await servedTenon(here, command, { TENON_KEY: 'k' })
  const { port } = new URL(server.url)
  const [node = '', ...check] = jsonAfter('HEALTHCHECK CMD').map((word) => word.replace('4100', port))
  expect(node).toBe('node')
  await run(process.execPath, check)
  await server.end('SIGKILL')
  await expect(run(process.execPath, check)).rejects.toMatchObject({ code: 1 })
})

test('what the container copies and links is there', () => {
  const copied = [...CONTAINER.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  expect(copied.length).toBeGreaterThan(3)
  for (const name of copied.filter((one) => !one.includes('*'))) expect(existsSync(`${root}/${name}`), name).toBe(true)
  const [, link] = /ln -s \/opt\/tenon\/(\S+)/.exec(CONTAINER) ?? []
  expect(existsSync(`${root}/${link}`), link).toBe(true)
})
