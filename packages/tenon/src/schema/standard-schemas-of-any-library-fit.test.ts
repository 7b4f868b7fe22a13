import type { JsonObject } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type StandardSchema, withJsonSchema } from './standard-schema.js'
import { toSchema } from './to-schema.js'

test('a zod schema is shown without noise and checks by itself', async () => {
  const schema = toSchema(z.object({ city: z.string(), days: z.int().default(3) }))
  expect(schema.json).toEqual({
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 } },
    required: ['city'],
  })
  expect(await schema.check({ city: 'Graz' })).toEqual({ ok: true, value: { city: 'Graz' } })
  expect(await schema.check({ city: 1, days: 'x' })).toMatchObject({
    ok: false,
    problems: [{ path: '/city' }, { path: '/days' }],
  })
})

test('an asynchronous check is waited for', async () => {
  const schema = toSchema(z.object({ a: z.string().refine(async (a) => a !== 'taken', 'is taken') }))
  expect(await schema.check({ a: 'free' })).toMatchObject({ ok: true })
  expect(await schema.check({ a: 'taken' })).toEqual({ ok: false, problems: [{ path: '/a', message: 'is taken' }] })
})

/** The form of arktype: a function that carries the standard's properties. */
function even(): StandardSchema<number> {
  return Object.assign((value: number) => value, {
    '~standard': {
      version: 1 as const,
      vendor: 'home-made',
      validate: (value: unknown) =>
        typeof value === 'number' && value % 2 === 0 ? { value } : { issues: [{ message: 'must be even' }] },
    },
  })
}

test('a library that cannot say its JSON Schema is asked for one by name', async () => {
  expect(() => toSchema(even())).toThrow(expect.objectContaining({ code: 'schema-not-shown' }))
  const schema = toSchema(withJsonSchema(even(), { type: 'integer' }))
  expect(schema.json).toEqual({ type: 'integer' })
  expect(await schema.check(3)).toEqual({ ok: false, problems: [{ path: '', message: 'must be even' }] })
})

test('a schema that JSON Schema cannot express is refused with the reason', () => {
  expect(() => toSchema(z.object({ at: z.date() }))).toThrow(
    expect.objectContaining({ code: 'schema-not-shown', message: expect.stringContaining('Date') }),
  )
})

test('what is neither is refused by name', () => {
  for (const wrong of [null, 'string', 7, []])
    expect(() => toSchema(wrong as unknown as JsonObject)).toThrow(expect.objectContaining({ code: 'schema-invalid' }))
})

test('a validator that throws is a problem of the value', async () => {
  const broken = { '~standard': { version: 1 as const, vendor: 'broken', validate: () => JSON.parse('{') } }
  expect(await toSchema(withJsonSchema(broken, { type: 'string' })).check('a')).toMatchObject({ ok: false })
})
