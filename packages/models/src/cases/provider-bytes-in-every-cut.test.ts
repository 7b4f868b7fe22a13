import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runWireCases } from './wire-cases.js'

const folder = fileURLToPath(new URL('../../../../../shared/cases/wire', import.meta.url))
const isThere = existsSync(folder)

test.skipIf(!isThere && process.env.CI !== 'true')(
  `what providers really send has the right outcome in every cut${isThere ? '' : ' (missing: ../shared/cases/wire)'}`,
  { timeout: 60_000 },
  async () => {
    const report = await runWireCases(folder)
    expect(report.failures).toEqual([])
    expect(report.passed).toBeGreaterThan(0)
  },
)
