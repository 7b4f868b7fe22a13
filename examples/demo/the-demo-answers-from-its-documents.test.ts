import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = dirname(fileURLToPath(import.meta.url))
const root = join(folder, '..', '..')
const report = join(folder, 'reports', 'notice-baltic-fasteners-2026-q3.md')

/** The demo as in a pipe, on a machine without keys. */
function demo(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const home = mkdtempSync(join(tmpdir(), 'tenon-demo-'))
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [join(root, 'scripts', 'demo.mjs'), ...args], {
    cwd: root,
    env: { PATH, HOME: home, USERPROFILE: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, out }))
  })
}

test('the demo reads, asks, writes its report and shows the run; killed in the middle it writes the same', {
  timeout: 120_000,
}, async () => {
  const whole = await demo()
  expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('no language model is at work') })
  const written = readFileSync(report, 'utf8')
  expect(written).toContain('EUR 1,398.30')

  const crashed = await demo('--crash')
  expect(crashed).toMatchObject({ code: 0, out: expect.stringContaining('Killed with SIGKILL') })
  expect(crashed.out).toContain('the turn was interrupted')
  expect(existsSync(report)).toBe(true)
  expect(readFileSync(report, 'utf8')).toBe(written)
})

test('the figures of the written answer are those of the documents', () => {
  const rows = readFileSync(join(folder, 'documents', 'deliveries-2026-q3.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
  const ours = rows
    .filter(([, supplier]) => supplier === 'Baltic Fasteners')
    .map(([, , , promised = '', delivered = '', pieces, rejected, price]) => ({
      late: (Date.parse(delivered) - Date.parse(promised)) / 86_400_000,
      pieces: Number(pieces),
      rejected: Number(rejected),
      price: Number(price),
    }))
  const late = ours.filter((delivery) => delivery.late > 3)
  const penalty = late.reduce(
    (sum, { late: days, pieces, price }) => sum + (Math.min(10, days) / 100) * pieces * price,
    0,
  )
  const credit = ours.reduce((sum, { rejected, price }) => sum + rejected * price, 0)
  expect([ours.length, late.length, ours.reduce((sum, { rejected }) => sum + rejected, 0)]).toEqual([7, 3, 283])
  expect((penalty + credit).toFixed(2)).toBe('1398.30')
})
