// `npm run conformance:mcp [-- LEG…]`: the public MCP suite against our server, our client, and servers behind our
// bridge, in both eras. Exit code 1 when something fails that must pass; what else fails is listed with its reason.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmPath, repoRoot, runNode } from './run-node.mjs'

const folder = join(repoRoot, 'conformance')
const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const loader = join(folder, 'node-20-loader.mjs')
const ERAS = ['2026-07-28', '2025-11-25']

/** What a server of the legacy era cannot give to a client of the modern one, whoever stands between. */
const PUSHED = {
  'server-stateless':
    'the server is told at its handshake what this client can do, and refuses by itself, with isError; for -32021 the bridge would have to claim what the client cannot',
  'input-required-result-basic-elicitation':
    'the suite wants the key that its own server gave to the question; a pushed question has none, the bridge makes one',
}

/**
 * @typedef {{
 *   name: string, side: 'server' | 'client', server?: string[], bridge?: boolean,
 *   known?: Readonly<Record<string, Readonly<Record<string, string>>>>, tasks?: boolean,
 * }} Leg
 * @type {readonly Leg[]}
 */
const LEGS = [
  { name: 'server', side: 'server', server: ['tenon-everything.mjs'], tasks: true },
  { name: 'client', side: 'client' },
  { name: 'bridge-modern', side: 'server', server: ['sdk-everything.mjs', 'modern'], bridge: true },
  {
    name: 'bridge-legacy',
    side: 'server',
    server: ['sdk-everything.mjs', 'legacy'],
    bridge: true,
    known: { '2026-07-28': PUSHED },
  },
  { name: 'bridge-tasks', side: 'server', server: ['tenon-everything.mjs'], bridge: true, tasks: true },
]

/** Scenarios that the suite does not score, of extensions or too new, and that must pass all the same. */
const UNSCORED = new Set([
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
  'auth/enterprise-managed-authorization',
  'json-schema-2020-12-preservation',
])

async function installSuite() {
  const mark = join(folder, 'node_modules', '.package-lock.json')
  if (existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return
  console.error('installing the suite')
  const { code, stderr } = await runNode([npmPath(), 'ci', '--ignore-scripts', '--prefix', folder])
  if (code !== 0) throw new Error(`the suite could not be installed:\n${stderr}`)
}

/** A server of ours that prints its address. @param {string[]} args */
async function start(args) {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(JSON.parse(String(data)).url))
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
  })
  return { url, child }
}

/** @param {Leg} leg @param {string} version @param {string} output */
async function runLeg(leg, version, output) {
  /** @type {import('node:child_process').ChildProcess[]} */
  const running = []
  try {
    let target = ['--command', `${process.execPath} ${join(folder, 'tenon-client.mjs')}`]
    if (leg.server) {
      const server = await start(leg.server)
      running.push(server.child)
      const bridge = leg.bridge ? await start(['bridge-before.mjs', server.url]) : undefined
      if (bridge) running.push(bridge.child)
      target = ['--url', (bridge ?? server).url]
    }
    const args = ['--import', loader, suite, leg.side, ...target, '--requirements', version, '-o', output]
    const { stdout } = await runNode([...args, '--timeout', '60000'])
    const results = readSummary(stdout)
    // The suite starts all scenarios of a client at once: who failed among forty processes is asked again alone.
    if (leg.side === 'client')
      for (const result of results.filter(({ ok, unscored }) => !ok && unscored === undefined)) {
        const one = ['--scenario', result.name, '--spec-version', version, '-o', output, '--timeout', '60000']
        result.ok = (await runNode(['--import', loader, suite, leg.side, ...target, ...one])).code === 0
      }
    return results
  } finally {
    for (const child of running) child.kill()
  }
}

/** @param {string} text */
function readSummary(text) {
  const [, summary = ''] = text.split(/=== (?:SUITE )?SUMMARY ===/)
  const [scored = '', unscored = ''] = summary.split('Not scored for')
  const results = [...scored.matchAll(/^([✓✗]) (\S+): (\d+) passed, \d+ failed/gmu)]
  const reasons = new Map([...unscored.matchAll(/^\s+[✓✗] (\S+) \((.+)\)/gmu)].map(([, name, why]) => [name, why]))
  return results.map(([, mark, name = '', passed]) => ({
    name,
    ok: mark === '✓',
    checks: Number(passed),
    unscored: reasons.get(name),
  }))
}

await installSuite()
const built = await runNode([join(repoRoot, 'scripts', 'build.mjs'), '--quiet'])
if (built.code !== 0) {
  process.stderr.write(built.stdout + built.stderr)
  process.exit(1)
}

const wanted = process.argv.slice(2)
const output = mkdtempSync(join(tmpdir(), 'tenon-conformance-'))
let passed = 0
let failed = 0
for (const leg of LEGS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
  for (const version of ERAS) {
    const results = await runLeg(leg, version, output)
    const required = results.filter(({ unscored }) => unscored === undefined)
    console.log(
      `${leg.name} ${version}: ${required.filter(({ ok }) => ok).length} of ${required.length} required scenarios`,
    )
    if (required.length === 0) {
      failed++
      console.log('  FAIL no scenario was run')
    }
    for (const { name, ok, unscored } of results) {
      const known = leg.known?.[version]?.[name]
      const extended = UNSCORED.has(name) || (leg.tasks === true && name.startsWith('tasks-'))
      const must = unscored === undefined ? known === undefined : extended
      if (ok) passed++
      else if (must) {
        failed++
        console.log(`  FAIL ${name}`)
      } else {
        const reason = known ?? `not scored: ${unscored}`
        console.log(
          `  left ${name}: ${leg.tasks !== true && name.startsWith('tasks-') ? 'the server has no tasks' : reason}`,
        )
      }
    }
  }
rmSync(output, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
