import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from './load-config.js'

let root: string
const known = { tools: ['read_file'], providers: ['openai', 'rehearsal'], keyed: ['openai'] }
const load = (cwd: string, file?: string) =>
  loadConfig({
    cwd,
    known,
    environment: { XDG_CONFIG_HOME: join(root, 'user'), APPDATA: join(root, 'user') },
    ...(file === undefined ? {} : { file }),
  })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tenon-config-'))
  mkdirSync(join(root, 'project', 'deep', 'deeper'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

test('the nearest file upwards holds, and paths in it are relative to it', () => {
  writeFileSync(join(root, 'project', 'tenon.yaml'), 'tools: { workspace: docs }\nstore: { dir: runs }\n')
  const loaded = load(join(root, 'project', 'deep', 'deeper'))
  expect(loaded.folder).toBe(join(root, 'project'))
  expect(loaded.config.tools?.workspace).toBe(join(root, 'project', 'docs'))
  expect(loaded.config.store?.dir).toBe(join(root, 'project', 'runs'))
})

test.skipIf(process.platform === 'darwin')('the user’s own defaults stand below the project’s', () => {
  mkdirSync(join(root, 'user', 'tenon'), { recursive: true })
  writeFileSync(
    join(root, 'user', 'tenon', 'tenon.yaml'),
    'models:\n  fast: { provider: openai, model: a }\n  big: { provider: openai, model: b }\npolicy: { otherwise: deny, rules: [{ deny: read_file }] }\n',
  )
  writeFileSync(
    join(root, 'project', 'tenon.yaml'),
    'models:\n  fast: { provider: openai, model: c }\npolicy: { rules: [{ allow: "*" }] }\n',
  )
  const { config } = load(join(root, 'project'))
  expect(config.models).toMatchObject({ fast: { model: 'c' }, big: { model: 'b' } })
  expect(config.policy).toEqual({ otherwise: 'deny', rules: [{ deny: 'read_file' }, { allow: '*' }] })
})

test('a file that was named must be there', () => {
  expect(() => load(root, 'other.yaml')).toThrow(/other\.yaml does not exist/)
})

test('a file of 200 MB is refused without being read', () => {
  const file = join(root, 'project', 'tenon.yaml')
  writeFileSync(file, '')
  truncateSync(file, 200 * 1024 * 1024)
  expect(() => load(join(root, 'project'))).toThrow(/209715200 bytes; at most 1048576 are read/)
})

test('bytes that are not UTF-8 are told with their place', () => {
  const file = join(root, 'project', 'tenon.yaml')
  writeFileSync(file, Buffer.concat([Buffer.from('agents:\n  ü: '), Buffer.from([0xff]), Buffer.from(' {}\n')]))
  expect(() => load(join(root, 'project'))).toThrow(/tenon\.yaml:2:7 is not UTF-8/)
})

test.each([
  ['in the middle of a line', 'agent: caf\xe9 # x\n', '1:11'],
  ['at the end of the file', 'agent: a\nagents: {}\n# \xfcber M\xfc', '3:3'],
])('an accent of Latin-1 %s is told with its place', (_, content, place) => {
  writeFileSync(join(root, 'project', 'tenon.yaml'), Buffer.from(content, 'latin1'))
  expect(() => load(join(root, 'project'))).toThrow(`tenon.yaml:${place} is not UTF-8`)
})

test('a file that an old shell wrote as UTF-16 is named as such', () => {
  writeFileSync(join(root, 'project', 'tenon.yaml'), Buffer.from('\ufeffagent: a', 'utf16le'))
  expect(() => load(join(root, 'project'))).toThrow(/UTF-16/)
})

test('a byte order mark is no mistake', () => {
  writeFileSync(join(root, 'project', 'tenon.yaml'), '\ufeffstore: { dir: x }\n')
  expect(load(join(root, 'project')).config.store?.dir).toBe(join(root, 'project', 'x'))
})
