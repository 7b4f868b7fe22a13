import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type ErrorTraits, errorRecord, isTenonError, TenonError } from './error-table.js'
import { KERNEL_ERRORS, KernelError } from './kernel-errors.js'
import { normaliseError } from './normalise-error.js'

test.each([
  ['a text', 'no such row', 'no such row'],
  ['an error without a text', new TypeError(), 'TypeError'],
  ['an error of another realm', runInNewContext('new RangeError("too far")'), 'too far'],
  ['what only looks like an error', { message: 'half an error' }, 'half an error'],
  ['nothing', undefined, 'an error without a message'],
  ['null', null, 'an error without a message'],
  ['a number', 7, 'an error without a message'],
  ['an object that says nothing', { message: 7 }, 'an error without a message'],
])('%s gets a code, a message and its cause', (_, thrown, message) => {
  const error = normaliseError(thrown, 'tool-failed')
  expect(error).toBeInstanceOf(KernelError)
  expect(error).toMatchObject({ code: 'tool-failed', message })
  expect(error.cause).toBe(thrown)
  expect(errorRecord(error)).toEqual({ code: 'tool-failed', message, retryable: false })
})

test('of a message that is too long the beginning is told, and no half of a secret', () => {
  const secret = `sk-${'a1'.repeat(200)}`
  const tail = normaliseError(new Error(`${`${secret}\n`.repeat(60)}the end`), 'tool-failed').message
  expect(tail).toMatch(/^(?:\[secret\]\n)+\[secret\]…$/)
})

test.each([
  ['one word', 'x'],
  ['blank lines', '\n'],
  ['spaces', ' '],
  ['beginnings of tokens', '-eyJ'],
  ['beginnings of keys', 'sk-'],
  ['beginnings of paths', ' /a'],
  ['beginnings of links', 'a://b:c'],
])('a megabyte of %s is a message as any other', (_, part) => {
  const { message } = normaliseError(new Error(`It broke: ${part.repeat(1_000_000 / part.length)}`), 'tool-failed')
  expect(message).toMatch(/^It broke:/)
  expect(message.length).toBeLessThan(2_100)
})

test('one of ours passes unchanged, also from a second copy of the package', async () => {
  const ours = new KernelError('run-unknown', 'There is no such run.')
  expect(normaliseError(ours, 'tool-failed')).toBe(ours)
  const address = new URL('./kernel-errors.js', import.meta.url).href
  const { KernelError: Second }: { KernelError: typeof KernelError } = await import(
    /* @vite-ignore */ `${address}?second`
  )
  const theirs = new Second('run-unknown', 'There is no such run.')
  expect(theirs).not.toBeInstanceOf(KernelError)
  expect(isTenonError(theirs)).toBe(true)
  expect(normaliseError(theirs, 'tool-failed')).toBe(theirs)
})

test('an error of the system has a code and is none of ours', () => {
  const system = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })
  expect(isTenonError(system)).toBe(false)
  expect(normaliseError(system, 'tool-failed').code).toBe('tool-failed')
})

test('every code says whether to try again, and who may see it', () => {
  for (const [code, traits] of Object.entries(KERNEL_ERRORS)) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    const { usage, ...always }: ErrorTraits = traits
    expect([undefined, true]).toContain(usage)
    expect(always).toEqual({
      retryable: expect.any(Boolean),
      modelVisible: expect.any(Boolean),
      userVisible: expect.any(Boolean),
    })
    expect(new KernelError(code as keyof typeof KERNEL_ERRORS, 'x')).toBeInstanceOf(TenonError)
  }
})
