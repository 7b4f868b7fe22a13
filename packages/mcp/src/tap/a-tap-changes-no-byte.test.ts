import { Buffer } from 'node:buffer'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { SecretMask } from './secret-mask.js'
import type { TapEntry } from './tap-entry.js'
import { tapProcess } from './tap-process.js'
import { TapRecorder } from './tap-recorder.js'

/** Says on stdout what it hears, complains at the end, and leaves when everything is written. */
const ECHO = `
process.stdin.on('data', (chunk) => process.stdout.write(chunk))
process.stdin.on('end', () => process.stderr.write('bye\\u00e9\\n'))
process.exitCode = 7
`

async function tapped(input: Buffer): Promise<{ code: number; out: Buffer; err: Buffer; entries: TapEntry[] }> {
  const entries: TapEntry[] = []
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const recorder = new TapRecorder({ mask: new SecretMask(), onEntry: (entry) => entries.push(entry) })
  const read = Promise.all([buffer(stdout), buffer(stderr)])
  stdin.end(input)
  const code = await tapProcess({
    command: process.execPath,
    args: ['-e', ECHO],
    environment: process.env,
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    recorder,
  })
  stdout.end()
  stderr.end()
  const [out, err] = await read
  return { code, out, err, entries }
}

test('bytes that are no text, exit code and stderr pass as they are', async () => {
  const input = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x0a, 0xed, 0xa0, 0x80, 0x7d])
  const { code, out, err } = await tapped(input)
  expect(out).toEqual(input)
  expect(err.toString()).toBe('byeé\n')
  expect(code).toBe(7)
})

test('four megabytes on one line pass whole, and only the beginning is kept', async () => {
  const head = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"x":"'
  const input = Buffer.from(`${head}${'y'.repeat(4 << 20)}"}}\n`)
  const { out, entries } = await tapped(input)
  expect(out.equals(input)).toBe(true)
  const entry = entries.find(({ from, kind }) => from === 'client' && kind === 'request')
  expect(entry).toMatchObject({ method: 'tools/call', id: 9, bytes: input.length - 1 })
  expect(entry?.digest).toHaveLength(64)
  expect(entry?.text?.length).toBeLessThan(10_000)
})

test('a signal that ended the server is told as the shell would', async () => {
  const recorder = new TapRecorder({ mask: new SecretMask(), onEntry: () => undefined })
  const options = { environment: process.env, cwd: process.cwd(), recorder }
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const args = ['-e', 'process.kill(process.pid, "SIGKILL")']
  expect(await tapProcess({ command: process.execPath, args, ...options, ...streams })).toBe(137)
})

test('a command that is not there is refused by name', async () => {
  const recorder = new TapRecorder({ mask: new SecretMask(), onEntry: () => undefined })
  const options = { args: [], environment: process.env, cwd: process.cwd(), recorder }
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  await expect(tapProcess({ command: 'no-such-command-here', ...options, ...streams })).rejects.toMatchObject({
    code: 'mcp-start-failed',
  })
})
