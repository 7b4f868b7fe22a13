import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { needs } from '../test-support/needs.ts'
import { CASE_KINDS, defaultCaseFolder } from './case-kinds.mjs'

describe.each(Object.entries(CASE_KINDS))('%s cases', (kind, run) => {
  needs(`the ${kind} cases beside the checkout`, () => existsSync(defaultCaseFolder(kind)))

  test(
    'all pass through the code that ships',
    async () => {
      const { passed, failures } = await run(defaultCaseFolder(kind))
      expect(failures).toEqual([])
      expect(passed).toBeGreaterThan(0)
    },
    5 * 60_000,
  )
})
