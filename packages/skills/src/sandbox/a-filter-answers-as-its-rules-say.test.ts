import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { type SeccompArchitecture, type SyscallRule, seccompFilter } from './seccomp-filter.js'
import { AS_HOST_USER, EVERYWHERE, WITHOUT_NAMESPACES } from './syscall-policy.js'
import { SYSCALLS, type SyscallName } from './syscall-table.js'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const ERRNO = 0x00050000
const ANSWERS = { refuse: ERRNO | 1, unknown: ERRNO | 38, ignore: ERRNO } as const

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
const COLUMN = { x64: 0, arm64: 1 } as const
const ALL: readonly SyscallRule[] = [...EVERYWHERE, ...WITHOUT_NAMESPACES, ...AS_HOST_USER]

/** What the kernel would do (classic BPF over `struct seccomp_data`), so that no machine of the architecture is needed. */
function answer(filter: Uint8Array, number: number, audit: number, args: readonly number[] = []): number {
  const program = Buffer.from(filter)
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(audit >>> 0, 4)
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index)
  let accumulator = 0
  for (let at = 0; at * 8 < program.length; at++) {
    const code = program.readUInt16LE(at * 8)
    const value = program.readUInt32LE(at * 8 + 4)
    if (code === 0x06) return value
    if (code === 0x20) {
      accumulator = data.readUInt32LE(value)
      continue
    }
    const holds = { 21: accumulator === value, 53: accumulator >= value, 69: (accumulator & value) !== 0 }[code]
    if (holds === undefined) throw new Error(`an instruction that is not known: ${code}`)
    at += program.readUInt8(at * 8 + (holds ? 2 : 3))
  }
  throw new Error('the program has no end')
}

/** Arguments for which the rule holds, and for which it does not. */
function argumentsOf({ when }: SyscallRule): {
  readonly holds: readonly number[][]
  readonly not: readonly number[][]
} {
  if (when === undefined) return { holds: [[]], not: [] }
  const at = (value: number): number[] =>
    Array.from({ length: when.argument + 1 }, (_, i) => (i === when.argument ? value : 0))
  if ('equal' in when) return { holds: when.equal.map(at), not: [at(0), at(Math.max(...when.equal) + 1)] }
  if ('notZero' in when) return { holds: [at(1), at(4711)], not: [at(0)] }
  return { holds: [at(when.bits & -when.bits), at(when.bits)], not: [at(0), at(~when.bits & 0x7fffffff)] }
}

describe.each(['x64', 'arm64'] as const)('on %s', (arch: SeccompArchitecture) => {
  const filter = seccompFilter(ALL, arch)
  const numbers = ALL.flatMap((rule) => {
    const number = SYSCALLS[rule.call][COLUMN[arch]]
    return number === null ? [] : [{ rule, number }]
  })

  test('each call of the policy gets the answer of its rule, for the arguments that the rule means', () => {
    for (const { rule, number } of numbers) {
      const { holds, not } = argumentsOf(rule)
      for (const args of holds) expect(answer(filter, number, AUDIT[arch], args), rule.call).toBe(ANSWERS[rule.answer])
      for (const args of not) expect(answer(filter, number, AUDIT[arch], args), rule.call).toBe(ALLOW)
    }
  })

  test('every other call is allowed, and one by the numbers of another architecture ends the process', () => {
    const ruled = new Set<number>(numbers.map(({ number }) => number))
    for (let number = 0; number < 500; number++)
      if (!ruled.has(number)) expect(answer(filter, number, AUDIT[arch]), String(number)).toBe(ALLOW)
    for (const other of [0x40000003, AUDIT[arch === 'x64' ? 'arm64' : 'x64']])
      expect(answer(filter, 0, other)).toBe(KILL)
  })
})

test('the second set of numbers of x86-64 is closed', () => {
  const filter = seccompFilter(ALL, 'x64')
  for (const number of [0x40000000, 0x40000000 | SYSCALLS.ptrace[0]])
    expect(answer(filter, number, AUDIT.x64)).toBe(ERRNO | 1)
})

describe('the table of numbers', () => {
  const [x64, arm64] = ['/usr/include/x86_64-linux-gnu/asm/unistd_64.h', '/usr/include/asm-generic/unistd.h'] as const
  needs('the headers of the kernel for x86-64', () => existsSync(x64) && existsSync(arm64))

  test.each([
    ['x64', x64],
    ['arm64', arm64],
  ] as const)('agrees with the headers of the kernel for %s', (arch, file) => {
    const known = new Map(
      [...readFileSync(file, 'utf8').matchAll(/^#define __NR3?_?(\w+)\s+(\d+)$/gm)].map(([, name = '', number]) => [
        name.replace(/^264_/, ''),
        Number(number),
      ]),
    )
    const wrong = Object.entries(SYSCALLS).filter(([name, numbers]) => {
      const number = numbers[COLUMN[arch]]
      // Headers may be older than the table, and a call that an architecture has not got stands in none.
      return known.has(name) ? known.get(name) !== number : number !== null && number < LATEST
    })
    expect(wrong.map(([name]) => name as SyscallName)).toEqual([])
  })
})

/** The last number that headers of years ago have. */
const LATEST = 440
