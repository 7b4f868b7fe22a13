import { defineConfig } from 'vitest/config'
import { TestCountsReporter } from './scripts/test-counts-reporter.mjs'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'scripts/**/*.test.mjs',
      'test-support/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: './scripts/build-before-tests.mjs',
    reporters: ['default', new TestCountsReporter()],
    pool: 'forks',
    // Tests start servers and child processes: more files at once than cores only makes them wait for one another.
    maxWorkers: 2,
    // Real processes on a shared machine: what fails only once there is told as flaky by the reporter, not as broken.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
})
