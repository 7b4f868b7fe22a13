import { execFileSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { bubblewrap } from './bubblewrap.js'
import { chooseSandbox } from './choose-sandbox.js'
import { landlock } from './landlock.js'
import { programOnPath } from './program-on-path.js'
import { unconfined } from './unconfined.js'

needs('Linux', () => process.platform === 'linux')

test('where only something weaker is there, nothing is run and the message says what to do', async () => {
  await expect(chooseSandbox({ require: 'strong' }, 'any program', [unconfined()])).rejects.toMatchObject({
    code: 'sandbox-missing',
    message: expect.stringMatching(/strong sandbox is required.*nothing was run.*require: weak/s),
  })
  await expect(chooseSandbox({ require: 'weak' }, 'any program', [unconfined()])).rejects.toMatchObject({
    code: 'sandbox-missing',
  })
})

test('a backend that is named and missing is not replaced by another', async () => {
  await expect(
    chooseSandbox({ require: 'strong', backend: 'bubblewrap' }, 'any program', [landlock()]),
  ).rejects.toMatchObject({
    code: 'sandbox-missing',
    message: expect.stringContaining('bubblewrap'),
  })
})

test('the one that closes most is taken', async () => {
  expect(
    (await chooseSandbox({ require: 'strong' }, 'any program', [bubblewrap(), landlock(), unconfined()])).name,
  ).toBe('bubblewrap')
  expect((await chooseSandbox({ require: 'strong' }, 'any program', [landlock(), unconfined()])).name).toBe('landlock')
})

test('no sandbox at all is used only where that was asked for, and says so', async () => {
  const sandbox = await chooseSandbox({ require: 'none' }, 'any program', [unconfined()])
  expect(await sandbox.probe()).toMatchObject({
    usable: true,
    strength: 'none',
    isolation: { files: 'open', network: 'open', processes: 'open' },
  })
})

test('an architecture whose system calls are not known is refused by its name', async () => {
  const { arch } = process
  onTestFinished(() => void Object.defineProperty(process, 'arch', { value: arch }))
  Object.defineProperty(process, 'arch', { value: 'riscv64' })
  for (const sandbox of [bubblewrap(), landlock()])
    expect(await sandbox.probe()).toMatchObject({ usable: false, reason: expect.stringContaining('riscv64') })
})

describe('the sandbox runtime', () => {
  needs('a host that may mount, with socat', () => process.getuid?.() === 0 && programOnPath('socat') !== undefined)

  test.each(['socat', 'bwrap'])(
    'without %s nothing is run, and it is said what is missing and how to get it',
    (program) => {
      const choose = `import { chooseSandbox } from '@tenon/skills'
await chooseSandbox({ require: 'strong', backend: 'sandbox-runtime' }).then(() => console.log('taken'), ({ code, message }) => console.log(code, message))`
      const said = execFileSync(
        'unshare',
        [
          '--mount',
          'sh',
          '-c',
          'mount --bind /dev/null "$1" && exec "$2" --input-type=module --eval "$3"',
          'sh',
        ].concat(programOnPath(program) ?? '', process.execPath, choose),
        { encoding: 'utf8', cwd: import.meta.dirname },
      )
      expect(said).toMatch(new RegExp(`^sandbox-missing .*nothing was run.*${program}.*not installed.*npm install`))
    },
  )
})
