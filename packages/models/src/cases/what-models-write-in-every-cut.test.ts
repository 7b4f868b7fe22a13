import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ajvSchema } from '../../test/support/ajv-schema.js'
import { runCallsCases } from './calls-cases.js'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '..', 'shared', 'cases', 'calls')
const isHere = existsSync(FOLDER)

if (!isHere && process.env.CI === 'true') throw new Error('shared/cases/calls is missing beside the checkout')

test.skipIf(!isHere)('every case of shared/cases/calls comes to what it says', async () => {
  const report = await runCallsCases(FOLDER, ajvSchema)
  expect(report.failures).toEqual([])
  expect(report.passed).toBeGreaterThan(400)
})

test('a folder without cases passes nothing', async () => {
  expect(await runCallsCases(join(FOLDER, 'nowhere'), ajvSchema)).toEqual({ passed: 0, failures: [] })
})
