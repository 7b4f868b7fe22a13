import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type Artifacts,
  type CallContext,
  CallId,
  type HandResult,
  type JsonObject,
  memoryArtifacts,
  plainText,
  RunId,
} from '@tenon/kernel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { bubblewrap } from '../sandbox/bubblewrap.js'
import { landlock } from '../sandbox/landlock.js'
import { programOnPath } from '../sandbox/program-on-path.js'
import type { Sandbox, SandboxPrograms } from '../sandbox/sandbox.js'
import { sandboxRuntime } from '../sandbox/sandbox-runtime.js'
import { collectOutputs } from './collect-outputs.js'
import { inlineMetadata } from './inline-metadata.js'
import { interpreterOf } from './interpreter.js'
import { runSkillScriptTool } from './run-skill-script.js'
import type { ScriptGrants, ScriptSkill } from './script-skill.js'

needs('Linux', () => process.platform === 'linux')
needs('socat and ripgrep', () => programOnPath('socat') !== undefined && programOnPath('rg') !== undefined)

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-skill-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const skillWith = (files: Readonly<Record<string, string>>, metadata?: unknown): ScriptSkill => ({
  name: 'demo',
  folder: folderWith(files),
  resources: Object.keys(files),
  metadata,
})

type Setting = {
  readonly grants?: ScriptGrants
  readonly artifacts?: Artifacts
  readonly workspace?: string
  /** The kinds of program that a sandbox was asked for. */
  readonly asked?: SandboxPrograms[]
}

let keys = 0
const toolOf = (sandbox: Sandbox, skill: ScriptSkill, setting: Setting = {}) =>
  runSkillScriptTool({
    skill: (name) => (name === skill.name ? skill : undefined),
    sandbox: async (program) => {
      setting.asked?.push(program)
      return sandbox
    },
    artifacts: setting.artifacts ?? memoryArtifacts((bytes) => `${bytes.length}-${++keys}`),
    compile: (json) => ({ json, check: (value) => ({ ok: true, value }) }),
    grants: () => setting.grants ?? {},
    believeEffects: true,
    ...(setting.workspace === undefined ? {} : { workspace: setting.workspace }),
  })

async function run(sandbox: Sandbox, skill: ScriptSkill, args: JsonObject, setting: Setting = {}): Promise<HandResult> {
  const context: CallContext = {
    runId: RunId('r1'),
    callId: CallId('t1.0'),
    key: 'k',
    attempt: 1,
    signal: new AbortController().signal,
    handle: undefined,
    budget: undefined,
    answers: [],
    progress: () => {},
  }
  const result = await toolOf(sandbox, skill, setting).run({ skill: 'demo', ...args }, context)
  if (!('kind' in result)) throw new Error('the tool answers by stream')
  return result
}

const COPY = `import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
copyFileSync('in.txt', 'out.txt')
writeFileSync('sub.json', JSON.stringify({ args: process.argv.slice(2), skill: readFileSync(process.env.SKILL_DIR + '/assets/a.txt', 'utf8') }))
console.log('done', process.env.TOKEN)
`

describe.each([bubblewrap(), landlock(), sandboxRuntime()])('$name', (sandbox) => {
  test('a script gets its arguments, its files and what it was granted, and hands its outputs over', async () => {
    const artifacts = memoryArtifacts(() => 'digest-of-out')
    const skill = skillWith({ 'scripts/copy.mjs': COPY, 'assets/a.txt': 'asset' })
    const { isError, value, content } = await run(
      sandbox,
      skill,
      { script: 'scripts/copy.mjs', args: ['a b', '--c'], files: { 'in.txt': 'Grüße' } },
      { artifacts, grants: { env: () => ({ TOKEN: 'granted' }) } },
    )
    expect(isError).toBeUndefined()
    expect(value).toMatchObject({
      exitCode: 0,
      stdout: 'done granted\n',
      files: [
        { name: 'out.txt', mediaType: 'text/plain', bytes: 7 },
        { name: 'sub.json', mediaType: 'application/json' },
      ],
      isolation: { backend: sandbox.name, strength: 'strong' },
    })
    expect(content.map(({ kind }) => kind)).toEqual(['text', 'artifact', 'artifact'])
  })

  test('an exit code is told with what the script said', async () => {
    const skill = skillWith({ 'scripts/fail.sh': 'echo one; echo two >&2; exit 3' })
    const { isError, content } = await run(sandbox, skill, { script: 'fail.sh' })
    expect(isError).toBe(true)
    expect(plainText(content)).toBe('scripts/fail.sh ended with exit code 3.\n\nstdout:\none\n\nstderr:\ntwo')
  })

  test('dependencies that are not installed are named before anything runs', async () => {
    needsPython()
    const source = `# /// script\n# requires-python = ">=3.99"\n# dependencies = [\n#   "no-such-package>=2",\n# ]\n# ///\nopen('ran', 'w')\n`
    await expect(run(sandbox, skillWith({ 'scripts/x.py': source }), { script: 'x.py' })).rejects.toMatchObject({
      code: 'script-dependencies-missing',
      detail: { unmet: [expect.stringMatching(/^python >=3\.99/), 'no-such-package>=2'] },
    })
  })

  test('a granted folder can be read at its own path, and its neighbour cannot', async () => {
    const outside = folderWith({ 'granted/a.txt': 'granted', 'other/b.txt': 'other' })
    const skill = skillWith({ 'scripts/cat.sh': 'cat "$1"; cat "$2"' })
    const args = [join(outside, 'granted', 'a.txt'), join(outside, 'other', 'b.txt')]
    const { value } = await run(
      sandbox,
      skill,
      { script: 'cat.sh', args },
      { grants: { folders: [join(outside, 'granted')] } },
    )
    expect(value).toMatchObject({ stdout: 'granted' })
  })

  test('time that was granted is kept', async () => {
    const skill = skillWith({ 'scripts/wait.sh': 'echo begun; sleep 60' })
    const { isError, content } = await run(sandbox, skill, { script: 'wait.sh' }, { grants: { timeMs: 1500 } })
    expect(isError).toBe(true)
    expect(plainText(content)).toContain('it took too long')
  })
})

function needsPython(): void {
  expect(interpreterOf(join(folderWith({ 'a.py': '' }), 'a.py')).name).toBe('python3')
}

const unused = (): Sandbox => ({
  name: 'unused',
  runs: 'any program',
  probe: () => expect.unreachable(),
  run: () => expect.unreachable(),
})

test('where the network cannot be granted in part, a skill that has such a grant is not run', async () => {
  const skill = skillWith({ 'scripts/x.sh': '' })
  await expect(
    run(landlock(), skill, { script: 'x.sh' }, { grants: { network: ['example.com'] } }),
  ).rejects.toMatchObject({ code: 'sandbox-cannot-grant' })
})

test.each([
  [{ script: 'gone.py' }, 'script-unknown', 'scripts/x.sh'],
  [{ script: '../other/x.sh' }, 'script-unknown', 'scripts/x.sh'],
  [{ skill: 'gone', script: 'x.sh' }, 'skill-unknown', 'gone'],
  [{ script: 'x.sh', files: { '../up': '' } }, 'skill-file-unknown', '../up'],
  [{ script: 'x.sh', files: { '/abs': '' } }, 'skill-file-unknown', '/abs'],
])('%j is refused as %s', async (args, code, named) => {
  await expect(run(unused(), skillWith({ 'scripts/x.sh': '' }), args)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(named),
  })
})

test('a sandbox for JavaScript is asked for where the script is that, and one for any program elsewhere', async () => {
  const asked: SandboxPrograms[] = []
  const refusing: Sandbox = { ...unused(), run: () => Promise.reject(new Error('not run')) }
  const skill = skillWith({ 'a.mjs': '', 'b.sh': '', 'c.js': '#!/bin/sh\n' })
  for (const script of ['a.mjs', 'b.sh', 'c.js'])
    await expect(run(refusing, skill, { script }, { asked })).rejects.toThrow('not run')
  expect(asked).toEqual(['javascript', 'any program', 'any program'])
})

test('what repeating a script does is told without reading a secret, which may be missing', () => {
  const skill = skillWith({ 'scripts/a.sh': '' }, { 'script-effects': { 'scripts/a.sh': 'idempotent' } })
  const grants = { env: () => expect.unreachable() }
  expect(toolOf(unused(), skill, { grants }).effectOf?.({ skill: 'demo', script: 'a.sh' })).toBe('idempotent')
})

test('a skill may say what repeating a script does, unless the script can reach what outlives it', () => {
  const metadata = { 'script-effects': 'scripts/a.sh=pure, scripts/b.sh=idempotent scripts/c.sh=harmless' }
  const skill = skillWith({ 'scripts/a.sh': '', 'scripts/b.sh': '', 'scripts/c.sh': '' }, metadata)
  const effects = (setting: Setting) =>
    ['a.sh', 'scripts/b.sh', 'c.sh', 'd.sh'].map((script) =>
      toolOf(unused(), skill, setting).effectOf?.({ skill: 'demo', script }),
    )
  expect(effects({})).toEqual(['pure', 'idempotent', 'once', 'once'])
  expect(effects({ grants: { workspace: 'write' } })).toEqual(['once', 'once', 'once', 'once'])
})

test.each([
  ['a.py', '', 'python3'],
  ['a', '#!/usr/bin/env -S uv run --script\n', 'python3'],
  ['a', '#!/usr/bin/env -S node --no-warnings\n', 'node'],
  ['a.txt', '#!/bin/sh -eu\n', 'sh'],
  ['a.sh', '', 'bash'],
  ['a.js', '#!/usr/bin/python3.11\n', 'python3'],
])('%s that begins with %j is run by %s', (name, head, expected) => {
  expect(interpreterOf(join(folderWith({ [name]: head }), name)).name).toBe(expected)
})

test('what nothing can run is refused by name', () => {
  const folder = folderWith({ 'a.xyz': 'text', 'b.sh': '#!/usr/bin/no-such-interpreter\n' })
  for (const [file, named] of [
    ['a.xyz', 'a.xyz'],
    ['b.sh', 'no-such-interpreter'],
  ] as const)
    expect(() => interpreterOf(join(folder, file))).toThrow(
      expect.objectContaining({ code: 'script-interpreter-missing', message: expect.stringContaining(named) }),
    )
})

test('only a whole block of inline metadata is one', () => {
  expect(inlineMetadata('# /// script\n# dependencies = ["a", \'b[c]>=1\']\n# ///\nx')).toEqual({
    requiresPython: undefined,
    dependencies: ['a', 'b[c]>=1'],
  })
  expect(inlineMetadata('# /// script\n# dependencies = ["a"]\nx = 1\n')).toBeUndefined()
  expect(inlineMetadata('print("# /// script")')).toBeUndefined()
})

test('outputs are taken without following links, and what was put there before is no output', () => {
  const folder = folderWith({ 'in.txt': 'in', 'changed.txt': 'new', 'sub/out.csv': '1,2' })
  symlinkSync('/etc/passwd', join(folder, 'link.txt'))
  symlinkSync('/etc', join(folder, 'etc'))
  chmodSync(join(folder, 'sub', 'out.csv'), 0o600)
  const before = new Map([
    ['in.txt', Buffer.from('in')],
    ['changed.txt', Buffer.from('old')],
  ])
  const { files, skipped } = collectOutputs(folder, before)
  expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
    ['changed.txt', 'text/plain'],
    ['sub/out.csv', 'text/csv'],
  ])
  expect(skipped).toEqual(['etc is a link', 'link.txt is a link'])
})
