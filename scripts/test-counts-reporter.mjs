import { writeFileSync } from 'node:fs'

/** @typedef {import("vitest/reporters").Reporter} Reporter */

/**
 * A vitest reporter that leaves the counts of a run in the file named by TENON_TEST_COUNTS. A file that could not be
 * loaded and an error outside of every test count as a failure each: neither may pass unseen.
 *
 * @implements {Reporter}
 */
export class TestCountsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      let failedHere = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') counts.passed += 1
        else if (state === 'failed') failedHere += 1
        else counts.skipped += 1
      }
      if (failedHere === 0 && module.state() === 'failed') failedHere = 1
      counts.failed += failedHere
    }
    const file = process.env.TENON_TEST_COUNTS
    if (file) writeFileSync(file, JSON.stringify(counts))
  }
}
