// `npm test [-- ARGS]`: runs every test (vitest builds first), and ends with the line that CI reads.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binPath, runNode } from './run-node.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tenon-test-'))
const countsFile = join(folder, 'counts.json')
const { code } = await runNode([binPath('vitest'), 'run', ...process.argv.slice(2)], {
  show: true,
  env: { ...process.env, TENON_TEST_COUNTS: countsFile },
})

const counts = existsSync(countsFile)
  ? JSON.parse(readFileSync(countsFile, 'utf8'))
  : { passed: 0, failed: 1, skipped: 0 }
rmSync(folder, { recursive: true, force: true })
const failed = code !== 0 && counts.failed === 0 ? 1 : counts.failed
console.log(`${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`)
process.exit(failed > 0 ? code || 1 : 0)
