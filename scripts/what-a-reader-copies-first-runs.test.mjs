import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { playedOpenAi, SNIPPET_PART } from '../test-support/played-openai.mjs'
import { readmeSnippet } from './readme-snippet.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
const tsc = join(dirname(typescript), 'bin', 'tsc')

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 */
async function run(args, cwd, env = process.env) {
  const child = spawn(process.execPath, args, { cwd, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`exit code ${code}:\n${said}`)
  return said
}

/** Below the checkout, so that the packages are found as an installation finds them. @param {string} page */
async function compiled(page) {
  const folder = join(root, 'node_modules', '.cache', `snippet-${page.replaceAll('/', '-')}-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'snippet.ts'), readmeSnippet(readFileSync(join(root, page), 'utf8')))
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['snippet.ts'] }))
  await run([tsc, '-p', '.'], folder)
  expect(existsSync(join(folder, 'snippet.js'))).toBe(true)
  return folder
}

test.each(['README.md', 'packages/tenon/README.md'])(
  'what a reader of %s copies first compiles and runs',
  async (page) => {
    const folder = await compiled(page)
    const server = await playedOpenAi(SNIPPET_PART)
    onTestFinished(server.close)
    const said = await run(['snippet.js'], folder, { PATH: process.env.PATH, ...server.env })
    expect(said).toContain('270')
    expect(said).toMatch(/finished|call-settled/)
  },
)

test('the planner in the kernel README compiles as it stands', async () => {
  await compiled('packages/kernel/README.md')
})
