import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { bubblewrap } from './bubblewrap.js'
import { landlock } from './landlock.js'
import { SANDBOX_LIMITS } from './limits.js'
import { mountedWorkspace } from './mounted-workspace.js'
import { programOnPath } from './program-on-path.js'
import type { Sandbox, SandboxFolder, SandboxJob } from './sandbox.js'
import { sandboxRuntime } from './sandbox-runtime.js'
import { stageFolder } from './stage-folder.js'

needs('Linux', () => process.platform === 'linux')
needs('socat and ripgrep', () => programOnPath('socat') !== undefined && programOnPath('rg') !== undefined)

type Options = Partial<Pick<SandboxJob, 'signal' | 'onOutput' | 'input'>> & {
  readonly env?: Readonly<Record<string, string>>
  readonly folders?: Readonly<Record<string, SandboxFolder>>
  readonly cwd?: string
  readonly limits?: Partial<SandboxJob['limits']>
}

function shell(sandbox: Sandbox, script: string, { env, folders, cwd = 'work', limits, ...more }: Options = {}) {
  const stage = stageFolder('work')
  onTestFinished(() => stage.remove())
  return sandbox.run({
    ...more,
    folders: { work: { path: stage.at('work'), access: 'write', staged: true }, ...folders },
    home: 'work',
    launch: (at) => ({ command: ['sh', '-c', script], cwd: at(cwd), ...(env === undefined ? {} : { env }) }),
    limits: { ...SANDBOX_LIMITS, wallMs: 20_000, ...limits },
  })
}

/** Of every process of the host. */
const commandLines = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })

/** A repository with a hook, a store and a configuration. */
function workspace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-workspace-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, '.git', 'hooks'), { recursive: true })
  mkdirSync(join(folder, '.tenon'))
  writeFileSync(join(folder, '.tenon', 'grants'), 'consent')
  writeFileSync(join(folder, 'tenon.yaml'), 'agent: a')
  writeFileSync(join(folder, 'a.txt'), 'inside')
  return folder
}

describe.each([bubblewrap(), landlock(), sandboxRuntime()])('$name', (sandbox) => {
  test('the environment is what was granted and nothing else', async () => {
    process.env.TENON_TEST_SECRET = 'of the host'
    onTestFinished(() => {
      delete process.env.TENON_TEST_SECRET
    })
    const { stdout, isolation } = await shell(sandbox, 'env | cut -d= -f1 | sort', { env: { GRANTED: 'x' } })
    expect(stdout.text.split('\n').filter((name) => !['', '_', 'PWD', 'SHLVL', 'OLDPWD'].includes(name))).toEqual([
      'GRANTED',
      'HOME',
      'LANG',
      'PATH',
      'TMPDIR',
    ])
    expect(isolation).toMatchObject({ backend: sandbox.name, strength: 'strong', environment: 'own' })
  })

  test('a granted secret stands in no list of processes', async () => {
    const secret = 'granted-secret-4711'
    const seen: string[] = []
    const stop = new AbortController()
    const { end } = await shell(sandbox, 'echo up; sleep 43; echo over', {
      env: { TOKEN: secret },
      signal: stop.signal,
      onOutput: () => {
        seen.push(...commandLines())
        stop.abort()
      },
    })
    expect(end).toBe('canceled')
    expect(seen.some((line) => line.includes('sleep 43'))).toBe(true)
    expect(seen.filter((line) => line.includes(secret))).toEqual([])
  })

  test('a cancel ends everything at once, and a job that was canceled before is not started', async () => {
    const stop = new AbortController()
    const result = await shell(sandbox, 'trap "" TERM INT; sleep 47 & sleep 47 & echo up; wait', {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    })
    expect(result).toMatchObject({ end: 'canceled', stdout: { text: 'up\n' } })
    expect(commandLines().filter((line) => line.includes('sleep 47'))).toEqual([])
    expect(await shell(sandbox, 'echo never', { signal: stop.signal })).toMatchObject({
      end: 'canceled',
      stdout: { text: '' },
    })
  })

  test('output is kept up to a bound and counted beyond', async () => {
    const { stdout, stderr } = await shell(sandbox, 'yes ä | head -c 90000; echo problem >&2', {
      limits: { outputKept: 1000 },
    })
    expect(stdout).toMatchObject({ bytes: 90_000, cut: true })
    expect(stdout.text).toMatch(/^(?:ä\n)+ä?$/)
    expect(Buffer.byteLength(stdout.text)).toBeLessThanOrEqual(1000)
    expect(stderr).toEqual({ text: 'problem\n', bytes: 8, cut: false })
  })

  test('a program that is not there is an exit code of the job, and no failure of the sandbox', async () => {
    expect((await shell(sandbox, 'no-such-program')).exitCode).toBe(127)
  })

  test('a workspace to read shows its files, and not the store', async () => {
    const path = workspace()
    const { stdout } = await shell(sandbox, 'cat a.txt; cat .tenon/grants; echo x > a.txt; ls', {
      folders: { workspace: mountedWorkspace(path, 'read') },
      cwd: 'workspace',
    })
    expect(stdout.text).toContain('inside')
    expect(stdout.text).not.toContain('consent')
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('inside')
  })
})

test.each([bubblewrap(), sandboxRuntime()])(
  '$name: a workspace to write to keeps its hooks, its store and its configuration',
  async (sandbox) => {
    const path = workspace()
    const spoil =
      'echo new > b.txt; echo evil > .git/hooks/pre-commit; echo evil > tenon.yaml; echo evil > .tenon/grants; cat .tenon/grants'
    const { stdout } = await shell(sandbox, spoil, {
      folders: { workspace: mountedWorkspace(path, 'write') },
      cwd: 'workspace',
    })
    expect(readFileSync(join(path, 'b.txt'), 'utf8')).toBe('new\n')
    expect(readdirSync(join(path, '.git', 'hooks'))).toEqual([])
    expect(readFileSync(join(path, 'tenon.yaml'), 'utf8')).toBe('agent: a')
    expect(readFileSync(join(path, '.tenon', 'grants'), 'utf8')).toBe('consent')
    expect(stdout.text).not.toContain('consent')
  },
)

test('a workspace is left as it was when a job that may write to it is ended', async () => {
  const path = workspace()
  const stop = new AbortController()
  const { end } = await shell(sandboxRuntime(), 'echo up; sleep 45', {
    folders: { workspace: mountedWorkspace(path, 'write') },
    cwd: 'workspace',
    signal: stop.signal,
    onOutput: () => stop.abort(),
  })
  expect(end).toBe('canceled')
  expect(readdirSync(path).sort()).toEqual(['.git', '.tenon', 'a.txt', 'tenon.yaml'])
})

test('a sandbox that could not keep them refuses and runs nothing', async () => {
  const path = workspace()
  await expect(
    shell(landlock(), 'echo new > b.txt', {
      folders: { workspace: mountedWorkspace(path, 'write') },
      cwd: 'workspace',
    }),
  ).rejects.toMatchObject({ code: 'sandbox-cannot-grant', message: expect.stringContaining('.git') })
  expect(readdirSync(path)).not.toContain('b.txt')
})
