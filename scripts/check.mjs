// `npm run check`: types, style, unused code and the rules of the house; all of them run, whatever fails.
import { allHouseRules } from './house-rules/all-house-rules.mjs'
import { binPath, repoRoot, runNode } from './run-node.mjs'

/** @typedef {{ ok: boolean, output: string }} Outcome */

/** @param {string[]} args @returns {Promise<Outcome>} */
async function command(args) {
  const { code, stdout, stderr } = await runNode(args)
  return { ok: code === 0, output: `${stdout}${stderr}`.trim() }
}

/** @returns {Promise<Outcome>} */
async function houseRules() {
  const violations = allHouseRules(repoRoot)
  const lines = violations.map(({ file, line, message }) => `${file}:${line} ${message}`)
  return { ok: violations.length === 0, output: lines.join('\n') }
}

/** @type {[string, () => Promise<Outcome>][]} */
const checks = [
  ['types', () => command([binPath('typescript', 'tsc'), '-b'])],
  ['biome', () => command([binPath('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'])],
  ['unused', () => command([binPath('knip'), '--no-config-hints'])],
  ['house rules', houseRules],
]

const failed = []
for (const [name, check] of checks) {
  const began = performance.now()
  const { ok, output } = await check()
  if (!ok) {
    failed.push(name)
    console.log(output)
  }
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} ${Math.round(performance.now() - began)} ms`)
}
if (failed.length > 0) {
  console.log(`failed: ${failed.join(', ')}`)
  process.exit(1)
}
