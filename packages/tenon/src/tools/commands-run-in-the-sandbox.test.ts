import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { callContext, eventsOf, resultOf, textOf } from '../../test/kit/call-tool.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { type RunCommandOptions, runCommandTool } from './run-command.js'

needs('Linux', () => process.platform === 'linux')

const tool = (workspace: string, options: Partial<RunCommandOptions> = {}) =>
  runCommandTool({ workspace, access: 'read', sandbox: { require: 'strong' }, ...options })

test('a command sees the workspace and says how it ended', async () => {
  const folder = temporaryFolder({ 'a.txt': 'three\nlines\nhere\n' })
  expect(await textOf(tool(folder), { command: 'wc -l < a.txt; echo oops >&2; exit 4' })).toBe(
    'stdout:\n3\n\nstderr:\noops\n\nIt ended with exit code 4.',
  )
  expect(await resultOf(tool(folder), { command: 'cat', stdin: 'text' })).toMatchObject({
    value: { exitCode: 0, stdout: 'text', isolation: { strength: 'strong' } },
  })
})

test('what may only be read is not written, and what may be written is', async () => {
  const folder = temporaryFolder({ 'a.txt': 'old' })
  const change = { command: 'echo new > a.txt; echo more > b.txt' }
  expect(await resultOf(tool(folder), change)).toMatchObject({ isError: true })
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old')
  expect((await resultOf(tool(folder, { access: 'write' }), change)).isError).toBeUndefined()
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('more\n')
})

test('the network is closed, and a granted variable is there', async () => {
  const script = `const s = require('net').connect(1, '127.0.0.1'); s.on('error', (e) => console.log(e.code, process.env.TOKEN))`
  const { value } = await resultOf(tool(temporaryFolder(), { env: () => ({ TOKEN: 'granted' }) }), {
    command: `node -e "${script}"; ls /sys/class/net 2>/dev/null; cat /proc/net/route 2>/dev/null | tail -n +2`,
  })
  expect(value).toMatchObject({ stdout: expect.stringMatching(/^(?:ECONNREFUSED|EPERM) granted\n$/) })
})

test('a command that takes too long is stopped, and a canceled one throws the reason', async () => {
  const folder = temporaryFolder()
  expect(await textOf(tool(folder, { timeMs: 500 }), { command: 'sleep 60' })).toBe('It was stopped: timed-out.')
  const signal = AbortSignal.abort(new Error('stopped by the user'))
  await expect(
    eventsOf(tool(folder, { access: 'write' }), { command: 'touch ran' }, callContext({ signal })),
  ).rejects.toThrow('stopped by the user')
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test('without a sandbox that is strong enough no command runs', async () => {
  const folder = temporaryFolder()
  await expect(
    eventsOf(tool(folder, { access: 'write', sandbox: { require: 'strong', backend: 'unconfined' } }), {
      command: 'touch ran',
    }),
  ).rejects.toMatchObject({ code: 'sandbox-missing' })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})
