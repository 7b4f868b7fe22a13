import { writeFileSync } from 'node:fs'

/** @typedef {import("vitest/reporters").Reporter} Reporter */

/**
 * A vitest reporter that leaves the counts of a run in the file named by TENON_TEST_COUNTS. A file that could not be
 * loaded and an error outside of every test count as a failure each: neither may pass unseen. Why tests were skipped is
 * printed, once a reason.
 *
 * @implements {Reporter}
 */
export class TestCountsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    /** @type {Map<string, number>} */
    const reasons = new Map()
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      let failedHere = 0
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') counts.passed += 1
        else if (result.state === 'failed') failedHere += 1
        else {
          counts.skipped += 1
          const reason = result.state === 'skipped' && result.note ? result.note : 'no reason given'
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        }
      }
      if (failedHere === 0 && module.state() === 'failed') failedHere = 1
      counts.failed += failedHere
    }
    for (const [reason, times] of reasons) console.log(`skipped ${times}: ${reason}`)
    const file = process.env.TENON_TEST_COUNTS
    if (file) writeFileSync(file, JSON.stringify(counts))
  }
}
