// `npm run cases -- KIND [FOLDER]`: runs a folder of cases through the real code. Exit code 1 if one fails, 2 on usage.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CASE_KINDS, defaultCaseFolder } from './case-kinds.mjs'
import { repoRoot, runNode } from './run-node.mjs'

const [kind = '', folder = defaultCaseFolder(kind)] = process.argv.slice(2)
const run = Object.hasOwn(CASE_KINDS, kind) ? CASE_KINDS[kind] : undefined
if (!run) {
  console.error(`usage: npm run cases -- ${Object.keys(CASE_KINDS).join('|')} [FOLDER]`)
  process.exit(2)
}
// npm changes into the root, so a relative folder is meant from where the command was typed.
const cases = resolve(process.env.INIT_CWD ?? process.cwd(), folder)
if (!existsSync(cases)) {
  console.error(`no cases at ${cases}: name the folder, \`npm run cases -- ${kind} FOLDER\``)
  process.exit(2)
}

const built = await runNode([join(repoRoot, 'scripts', 'build.mjs'), '--quiet'])
if (built.code !== 0) {
  process.stderr.write(built.stdout + built.stderr)
  process.exit(1)
}

const { passed, failures } = await run(cases)
for (const { name, differences } of failures) console.log(`${name}: ${differences.join('; ')}`)
console.log(`${passed} passed, ${failures.length} failed`)
process.exit(failures.length > 0 || passed === 0 ? 1 : 0)
