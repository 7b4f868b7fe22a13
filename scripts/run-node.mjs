import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const repoRoot = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * The script behind a command of an installed package, so that it can be started with this very node and without a
 * shell, on every system.
 *
 * @param {string} packageName
 * @param {string} [command]
 * @param {string} [from] the folder whose `node_modules` has it
 */
export function binPath(packageName, command = packageName, from = repoRoot) {
  const folder = join(from, 'node_modules', packageName)
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) throw new Error(`${packageName} is not installed: run \`npm ci\` first`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  const path = typeof bin === 'string' ? bin : bin?.[command]
  if (!path) throw new Error(`${packageName} has no command ${command}`)
  return join(folder, path)
}

/**
 * npm's own script: npm names it for the scripts that it runs; a bare `node scripts/…` finds it beside node.
 */
export function npmPath() {
  const beside = dirname(process.execPath)
  const places = [
    process.env.npm_execpath,
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const found = places.find((place) => place?.endsWith('npm-cli.js') && existsSync(place))
  if (!found) throw new Error('npm was not found: start this by `npm run …`')
  return found
}

/**
 * @typedef {{ code: number, stdout: string, stderr: string }} Finished `code` is 1 when a signal ended the process
 * @param {readonly string[]} args what node is started with: a script and its arguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} [options] `show`: output goes to the terminal
 * @returns {Promise<Finished>}
 */
export function runNode(args, { cwd = repoRoot, env = process.env, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}
