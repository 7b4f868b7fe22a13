import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { openStore } from '@tenon/store'
import { layOut } from '../../examples/competitor-report/lay-out.mjs'
import { repoRoot } from '../../scripts/run-node.mjs'

/** @typedef {{ started: number, ended: number, events: import('@tenon/kernel').RunEvent[] }} DemoRun epoch milliseconds */

const GOAL = 'Write a competitor report on Meridian Kinetics that follows our compliance rules.'
const SCOPE = 'China and the EU, since 2025-01-01'
const COMMAND = join(repoRoot, 'packages', 'tenon', 'bin', 'tenon.js')

/** One run of the report in a folder of its own; what it asks is answered at once. @returns {Promise<DemoRun>} */
export async function demoRun() {
  const { folder, environment, remove } = layOut(COMMAND)
  for (const file of ['rehearsal.yaml', 'research/rehearsal.yaml']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^pace: .*\n/m, ''))
  }
  const { startResearch } = await import(pathToFileURL(join(folder, 'research', 'start.mjs')).href)
  const desk = await startResearch({ env: environment })
  try {
    return await analyst(folder, { ...environment, RESEARCH_URL: desk.url })
  } finally {
    await desk.close()
    remove()
  }
}

/** @param {string} folder @param {NodeJS.ProcessEnv} env @returns {Promise<DemoRun>} */
async function analyst(folder, env) {
  const started = Date.now()
  const args = ['run', GOAL, '--rehearsal', 'rehearsal.yaml', '--yes', '--stay', '--json']
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const closed = new Promise((resolve) => child.on('close', resolve))
  /** @type {(import('@tenon/kernel').RunEvent & { runId: import('@tenon/kernel').RunId })[]} */
  const events = []
  for await (const line of createInterface(child.stdout)) {
    const event = JSON.parse(line)
    events.push(event)
    if (event.kind === 'input-requested' && event.request.kind === 'question') await answer(folder, event)
  }
  const code = await closed
  const ended = Date.now()
  if (code !== 0) throw new Error(`the run ended with ${code}:\n${said}`)
  return { started, ended, events }
}

/** Left where the process that stays finds it. @param {string} folder @param {any} event */
async function answer(folder, { runId, request: { requestId } }) {
  const store = openStore({ dir: join(folder, '.tenon') })
  try {
    await store.inbox.put(runId, { kind: 'answer', id: `answer:${requestId}`, requestId, answer: SCOPE, by: 'bench' })
  } finally {
    store.close()
  }
}
