import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Piece } from './piece.js'
import { Printer } from './printer.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const running: Piece = { kind: 'busy', text: 'fetch_url is running' }
const result: Piece = { kind: 'line', label: 'result', mark: '✓', tone: 'good', text: 'fetch_url' }

function printer(flow: boolean, facts = ''): { readonly printer: Printer; said(): string } {
  let out = ''
  const made = new Printer({
    style: { flow, color: false, width: 60 },
    write: (text) => {
      out += text
    },
    facts: () => facts,
  })
  return {
    printer: made,
    said() {
      const said = out
      out = ''
      return said
    },
  }
}

test('in a log a wait is told after two seconds, and then ever less often', () => {
  const { printer: log, said } = printer(false)
  log.print([running])
  vi.advanceTimersByTime(1_900)
  expect(said()).toBe('')
  vi.advanceTimersByTime(600)
  expect(said()).toBe('working: fetch_url is running (2.0 s)\n')
  vi.advanceTimersByTime(60_000)
  expect(said().match(/working/g)).toHaveLength(4)
  log.print([result])
  expect(said()).toBe('result: fetch_url\n')
  log.close()
})

test('what something else begins is waited for from its own beginning', () => {
  const { printer: log, said } = printer(false)
  log.print([running])
  vi.advanceTimersByTime(1_500)
  log.print([result, { kind: 'busy', text: 'waiting for gpt' }])
  said()
  vi.advanceTimersByTime(1_500)
  expect(said()).toBe('')
  vi.advanceTimersByTime(1_000)
  expect(said()).toContain('waiting for gpt')
  log.close()
})

test('on a terminal one line counts, is as wide as the terminal, and gives way to what comes', () => {
  const { printer: terminal, said } = printer(true, '12k tokens, $0.03')
  terminal.print([running])
  vi.advanceTimersByTime(1_800)
  expect(said()).toBe('')
  vi.advanceTimersByTime(1_400)
  const drawn = said().split('\r').slice(1)
  expect(drawn.length).toBeGreaterThan(3)
  for (const line of drawn) {
    expect(line).toMatch(/^fetch_url is running, \d\.\d s {2}12k tokens, \$0\.03 {2}.*\u001b\[K$/)
    expect(line.replace('\u001b[K', '').length).toBeLessThan(60)
  }
  terminal.print([result])
  expect(said()).toBe('\r\u001b[K✓ fetch_url\n')
  terminal.close()
})

test('nothing is redrawn under the hands of a person who is asked, nor after the end', () => {
  const { printer: terminal, said } = printer(true)
  terminal.print([running])
  vi.advanceTimersByTime(3_000)
  terminal.quiet(true)
  said()
  vi.advanceTimersByTime(10_000)
  expect(said()).toBe('')
  terminal.quiet(false)
  vi.advanceTimersByTime(1_000)
  expect(said()).toContain('fetch_url is running, 1')
  terminal.print([{ kind: 'end', result: 'done' }])
  said()
  vi.advanceTimersByTime(10_000)
  expect(said()).toBe('')
  terminal.close()
})
