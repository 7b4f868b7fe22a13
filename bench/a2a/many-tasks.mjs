import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { principalOf } from '@tenon/a2a'
import { FIXTURE, startRequestServer } from '@tenon/a2a/cases'
import { ContextId, RunId, userMessage } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { call } from '../../scripts/crash-a2a/a2a-client.mjs'
import { median } from '../bench-contract.mjs'

const ASKED = 30

/** One page of so many tasks, and one of them, over HTTP. @param {number} count */
export async function manyTasks(count) {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-many-a2a-'))
  try {
    fill(dir, count)
    const server = await startRequestServer({}, () => false, {
      dir,
      sealKey: new Uint8Array(32),
      journal: (own) => own,
      touch: () => undefined,
    })
    try {
      const url = server.urls['jsonrpc 1.0'] ?? ''
      const { totalSize } = await call(url, 'ListTasks', {})
      if (totalSize !== count) throw new Error(`${totalSize} tasks are listed, not ${count}`)
      const list = await timed((i) => call(url, 'ListTasks', i % 2 ? {} : { status: 'TASK_STATE_COMPLETED' }))
      const get = await timed((i) => call(url, 'GetTask', { id: runId((i * 997) % count) }))
      return { list, get }
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** @param {(i: number) => Promise<unknown>} ask */
async function timed(ask) {
  const times = []
  for (let i = 0; i < ASKED; i++) {
    const began = performance.now()
    await ask(i)
    times.push(performance.now() - began)
  }
  return median(times)
}

const runId = (n) => RunId(`run_${String(n).padStart(8, '0')}`)

/** @param {string} dir @param {number} count */
function fill(dir, count) {
  const store = openStore({ dir })
  const submitted = /** @type {const} */ ({
    kind: 'run-submitted',
    agent: FIXTURE,
    goal: userMessage('echo x'),
    depth: 0,
    planner: { name: FIXTURE, version: 1 },
    limits: {},
    principal: principalOf({ owner: '', authenticated: false }),
  })
  for (let n = 0; n < count; n++) {
    const at = 1_790_000_000_000 + n
    store.journal.append(
      runId(n),
      [
        { ...submitted, contextId: ContextId(`ctx_${n % 1_000}`), seq: 1, at },
        { kind: 'run-ended', seq: 2, at, state: 'completed', blocks: [{ kind: 'text', text: 'x' }] },
      ],
      false,
    )
  }
  store.close()
}
