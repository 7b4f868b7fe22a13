import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chooseSandbox } from '../sandbox/choose-sandbox.js'
import { SANDBOX_LIMITS } from '../sandbox/limits.js'
import { mappedFiles } from '../sandbox/mapped-files.js'
import { quickjs } from '../sandbox/quickjs.js'
import { runScript, type ScriptRun } from './run-script.js'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-plain-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** One for all: each would be looked at anew. */
const sandbox = quickjs()

function run(files: Readonly<Record<string, string>>, script: string, more: Partial<ScriptRun> = {}) {
  const skill = { name: 'demo', folder: folderWith(files), resources: Object.keys(files), metadata: undefined }
  return runScript(sandbox, { skill, script, args: [], ...more })
}

test('a strong sandbox is there for plain JavaScript where there is no other, and for nothing else', async () => {
  expect((await chooseSandbox({ require: 'strong' }, 'javascript', [sandbox])).name).toBe('quickjs')
  await expect(chooseSandbox({ require: 'strong' }, 'any program', [sandbox])).rejects.toMatchObject({
    code: 'sandbox-missing',
    message: expect.stringContaining('quickjs: it runs plain JavaScript only'),
  })
})

const CHECK = `#!/usr/bin/env node
import fs, { promises } from 'node:fs'
import { join } from 'node:path'
import rules from '../assets/rules.json' with { type: 'json' }
import { longest } from './longest.js'
const text = await promises.readFile(process.argv[2], 'utf8')
fs.mkdirSync('out', { recursive: true })
fs.writeFileSync(join('out', 'report.json'), JSON.stringify({ longest: longest(text), most: rules.most }))
console.log('checked', process.env.TOKEN, fs.readFileSync(0, 'utf8'))
process.exitCode = 3
`

test('it reads what it was given, imports what lies beside it, and its files come back', async () => {
  const files = {
    'scripts/check.mjs': CHECK,
    'scripts/longest.js': 'export const longest = (text) => text.split(/\\s+/).sort((a, b) => b.length - a.length)[0]',
    'assets/rules.json': '{ "most": 7 }',
  }
  const { exitCode, stdout, stderr, outputs, isolation } = await run(files, 'scripts/check.mjs', {
    args: ['in.txt'],
    files: new Map([['in.txt', Buffer.from('kurz länger am-längsten')]]),
    input: 'said',
    grants: { env: () => ({ TOKEN: 'granted' }) },
  })
  expect({ exitCode, stdout: stdout.text, stderr: stderr.text }).toEqual({
    exitCode: 3,
    stdout: 'checked granted said\n',
    stderr: '',
  })
  expect(outputs.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ['out/report.json', '{"longest":"am-längsten","most":7}'],
  ])
  expect(isolation).toMatchObject({ backend: 'quickjs', strength: 'strong', files: 'hidden', network: 'none' })
})

test('CommonJS has require for files beside it and for what is there of Node', async () => {
  const files = {
    'a.js':
      "const { join } = require('path'); console.log(join(__dirname, 'x'), require('./b'), require('./c.json').c)",
    'b.js': 'module.exports = 2',
    'c.json': '{ "c": 3 }',
  }
  expect((await run(files, 'a.js')).stdout.text).toBe('/skill/x 2 3\n')
})

test.each([
  ['a.mjs', "import { spawn } from 'node:child_process'\nconsole.log('never')", 'node:child_process'],
  ['a.cjs', "require('net')", 'net'],
])('%s that needs more of Node is told what there is', async (script, source, named) => {
  const { exitCode, stdout, stderr } = await run({ [script]: source }, script)
  expect([exitCode, stdout.text]).toEqual([1, ''])
  expect(stderr.text).toMatch(
    new RegExp(`The module ${named} is not there in the sandbox quickjs, which has fs, .*bubblewrap`),
  )
})

test.each([
  ['throws', "throw new TypeError('broken')", 'TypeError: broken'],
  ['awaits what fails', "await Promise.reject(new Error('late'))", 'Error: late'],
  ['calls itself for ever', 'const f = () => 1 + f(); f()', 'stack overflow'],
  ['prints more than it has room to copy', "console.log('x'.repeat(2e8))", 'out of memory'],
  ['takes all memory', 'const all = []; for (;;) all.push(new Uint8Array(1e7))', 'out of memory'],
])('a script that %s ends with 1 and a reason, without a path of ours', async (_, source, reason) => {
  const { exitCode, stderr } = await run({ 'a.mjs': source }, 'a.mjs')
  expect(exitCode).toBe(1)
  expect(stderr.text).toContain(reason)
  expect(stderr.text).not.toContain(process.cwd())
})

test('a script that calculates for ever is interrupted when its processor time is over', async () => {
  const work = { path: folderWith({}), access: 'write', staged: true } as const
  const { end, exitCode, stderr } = await sandbox.run({
    folders: { work },
    home: 'work',
    launch: (at) => ({ command: ['node', '-e', 'for (;;);'], cwd: at('work') }),
    limits: { ...SANDBOX_LIMITS, cpuSeconds: 1 },
  })
  expect([end, exitCode]).toEqual(['exited', 1])
  expect(stderr.text).toContain('interrupted')
})

test('no spelling of a path leads out of a folder, through a link, or to what is closed in it', () => {
  const outside = folderWith({ secret: 'secret' })
  const folder = folderWith({ 'in.txt': 'in', '.tenon/grants': 'consent', 'tenon.yaml': 'agent: a', 'sub/x': '' })
  symlinkSync(outside, join(folder, 'link'))
  symlinkSync(join(outside, 'secret'), join(folder, 'sub', 'file'))
  const closed = { hidden: ['.tenon'], readOnly: ['tenon.yaml'] }
  const files = mappedFiles([{ at: '/w', path: folder, writable: true, ...closed }], { read: 7, write: 8 })
  expect(Buffer.from(files.read('/w/in.txt')).toString()).toBe('in')
  for (const path of [
    '/w/../secret',
    '/w/link/secret',
    '/w/sub/file',
    '/w/.tenon/grants',
    '/w/.TENON/grants',
    '/x',
    '/',
  ])
    expect(() => files.read(path), path).toThrow(/^(?:ENOENT|ELOOP): /)
  for (const path of ['/w', '/w/tenon.yaml', '/w/Tenon.yaml', '/w/link/new', '/w/.tenon/new', '/w/sub/file'])
    expect(() => files.write(path, Buffer.from('x'), false), path).toThrow(/^(?:EROFS|ENOENT|ELOOP): /)
  expect(() => files.remove('/w/tenon.yaml')).toThrow('EROFS')
  files.write('/w/big', Buffer.alloc(8), false)
  expect(() => files.write('/w/big', Buffer.alloc(9), false)).toThrow('EFBIG')
  expect(() => files.write('/w/in.txt', Buffer.alloc(7), true)).toThrow('EFBIG')
  files.write('/w/big', Buffer.alloc(8), false)
  expect(() => files.read('/w/big')).toThrow('EFBIG')
  expect(files.list('/w').toSorted()).toEqual(['big', 'in.txt', 'sub', 'tenon.yaml'])
})
