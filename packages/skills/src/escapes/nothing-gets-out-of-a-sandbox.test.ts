import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { bubblewrap } from '../sandbox/bubblewrap.js'
import { landlock } from '../sandbox/landlock.js'
import { quickjs } from '../sandbox/quickjs.js'
import { sandboxRuntime } from '../sandbox/sandbox-runtime.js'
import { unconfined } from '../sandbox/unconfined.js'
import { attackProgram } from './attack.js'
import { ATTACKS } from './attack-list.js'
import { runAttacks } from './run-attacks.js'

const python = (): boolean => existsSync('/usr/bin/python3')
const table = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8')

/** What the docs say of a backend: the names of the attacks that they own up to. */
function admitted(column: number): readonly string[] {
  const rows = [...table.matchAll(/^\| (.+?) +\|(.+)\|$/gm)].filter(([, name]) =>
    ATTACKS.some((one) => one.name === name),
  )
  expect(rows).toHaveLength(ATTACKS.length)
  return rows.flatMap(([, name = '', cells = '']) => (cells.split('|')[column]?.includes('not') ? [name] : []))
}

describe.each([
  { sandbox: bubblewrap(), column: 0 },
  { sandbox: landlock(), column: 1 },
  { sandbox: sandboxRuntime(), column: 2 },
  { sandbox: quickjs(), column: 3 },
])('$sandbox.name', ({ sandbox, column }) => {
  needs('python3', python)
  needs(`Linux with ${sandbox.name}`, () => process.platform === 'linux')

  const groups = (['files', 'network', 'environment', 'processes', 'kernel', 'resources'] as const).filter((group) =>
    ATTACKS.some((attack) => attack.group === group && attackProgram(attack, sandbox.runs) !== undefined),
  )
  test.each(groups)('what the docs call blocked is blocked: %s', async (group) => {
    const probe = await sandbox.probe()
    expect(probe).toMatchObject({ usable: true, strength: 'strong' })
    const outcomes = await runAttacks(
      sandbox,
      ATTACKS.filter((attack) => attack.group === group),
    )
    const open = outcomes.filter(({ blocked }) => !blocked).map(({ attack }) => attack.name)
    expect(open).toEqual(admitted(column).filter((name) => outcomes.some(({ attack }) => attack.name === name)))
  })
})

describe('a host that is root, and folders that only root can open', () => {
  needs('python3', python)

  test.skipIf(process.getuid?.() !== 0)(
    'the job runs as root, and kernel, files and processes are closed to it all the same',
    async () => {
      const closed = mkdtempSync(join(tmpdir(), 'tenon-root-only-'))
      vi.stubEnv('TMPDIR', closed)
      onTestFinished(() => {
        vi.unstubAllEnvs()
        rmSync(closed, { recursive: true, force: true })
      })
      const wanted = ['kernel settings', 'read /etc/shadow', 'signal a process of the host', 'mount', 'a fork bomb']
      const sandbox = bubblewrap()
      expect(await sandbox.probe()).toMatchObject({ usable: true, isolation: { user: 'root' } })
      const outcomes = await runAttacks(
        sandbox,
        ATTACKS.filter(({ name }) => wanted.includes(name)),
      )
      expect(outcomes.map(({ blocked }) => blocked)).toEqual(wanted.map(() => true))
    },
  )
})

describe('without a sandbox', () => {
  needs('python3', python)

  test('the same attacks get what they want', async () => {
    const real = ['read ssh keys', 'write outside', 'TCP to the host', 'an abstract unix socket']
    const outcomes = await runAttacks(
      unconfined(),
      ATTACKS.filter(({ name }) => real.includes(name)),
    )
    expect(outcomes.map(({ blocked }) => blocked)).toEqual([false, false, false, false])
  })
})
