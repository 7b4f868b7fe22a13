import { SYSCALLS, type SyscallName } from './syscall-table.js'

/** What becomes of a call: refused with EPERM, unknown to the kernel (a C library then falls back), or done by nobody. */
type SyscallAnswer = 'refuse' | 'unknown' | 'ignore'

export type SyscallRule = {
  readonly call: SyscallName
  readonly answer: SyscallAnswer
  /** Only when the low 32 bits of this argument are one of `equal`, are not zero, or have one of the bits of `bits`. */
  readonly when?:
    | { readonly argument: number; readonly equal: readonly number[] }
    | { readonly argument: number; readonly notZero: true }
    | { readonly argument: number; readonly bits: number }
}

/** linux/filter.h and linux/seccomp.h. */
const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_BITS = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
const KILL = 0x80000000
const ERRNO = 0x00050000
const EPERM = 1
const ENOSYS = 38
/** Offsets in `struct seccomp_data`, little endian. */
const AT_NUMBER = 0
const AT_ARCHITECTURE = 4
const argumentAt = (index: number): number => 16 + 8 * index

const ANSWERS: Readonly<Record<SyscallAnswer, number>> = {
  refuse: ERRNO | EPERM,
  unknown: ERRNO | ENOSYS,
  ignore: ERRNO,
}

const ARCHITECTURES = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
} as const

export type SeccompArchitecture = keyof typeof ARCHITECTURES

export const isSeccompArchitecture = (arch: string): arch is SeccompArchitecture => Object.hasOwn(ARCHITECTURES, arch)

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/**
 * A filter as `struct sock_filter[]`. What no rule names is allowed; a call of another architecture ends the process,
 * and the x32 calls of x86-64 are refused, because both have other numbers for the same calls.
 */
export function seccompFilter(rules: readonly SyscallRule[], arch: SeccompArchitecture): Uint8Array {
  const { audit, column } = ARCHITECTURES[arch]
  const program: Instruction[] = [
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, AT_NUMBER],
  ]
  if (arch === 'x64') program.push([JUMP_AT_LEAST, 0, 1, 0x40000000], [RETURN, 0, 0, ERRNO | EPERM])
  for (const rule of rules) {
    const number = SYSCALLS[rule.call][column]
    if (number === null) continue
    const body = bodyOf(rule)
    program.push([JUMP_EQUAL, 0, body.length, number], ...body)
  }
  program.push([RETURN, 0, 0, ALLOW])
  return encode(program)
}

function bodyOf({ answer, when }: SyscallRule): readonly Instruction[] {
  const refuse: Instruction = [RETURN, 0, 0, ANSWERS[answer]]
  const allow: Instruction = [RETURN, 0, 0, ALLOW]
  if (when === undefined) return [refuse]
  const load: Instruction = [LOAD, 0, 0, argumentAt(when.argument)]
  if ('bits' in when) return [load, [JUMP_BITS, 0, 1, when.bits], refuse, allow]
  if ('notZero' in when) return [load, [JUMP_EQUAL, 1, 0, 0], refuse, allow]
  const tests = when.equal.map((value, index): Instruction => [JUMP_EQUAL, when.equal.length - index, 0, value])
  return [load, ...tests, allow, refuse]
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
