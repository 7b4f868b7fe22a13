import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../test-support/needs.js'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

needs('process groups, which Windows does not have', () => process.platform !== 'win32')

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('when the host is killed its servers end, and what they started, though they ignore every polite request', async () => {
  const host = spawn(process.execPath, [here('host-that-is-killed.mjs'), here('stubborn-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void host.kill('SIGKILL'))
  const pids = await new Promise<number[]>((resolve) => {
    host.stdout.once('data', (data: Buffer) => resolve(JSON.parse(data.toString()) as number[]))
  })
  expect(pids.map(lives)).toEqual([true, true])
  host.kill('SIGKILL')
  await expect.poll(() => pids.filter(lives), { timeout: 15_000 }).toEqual([])
})
