import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  createEngine,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  react,
} from '@tenon/kernel'
import { openStore } from '@tenon/store'

const digest = (/** @type {string | Uint8Array} */ data) => createHash('sha256').update(data).digest('hex')

/**
 * The engine as the host builds it, over memory or over a SQLite file.
 *
 * @param {{ journal: 'memory' | 'sqlite', folder: string, agent: import('@tenon/kernel').Agent }} options
 */
export function tenonEngine({ journal, folder, agent }) {
  const store = journal === 'sqlite' ? openStore({ dir: join(folder, 'tenon') }) : undefined
  const ports = store ?? {
    journal: memoryJournal(),
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts: memoryArtifacts(digest),
  }
  const engine = createEngine({
    journal: ports.journal,
    inbox: ports.inbox,
    leases: ports.leases,
    grants: ports.grants,
    artifacts: ports.artifacts,
    agents: (name) => (name === agent.name ? agent : undefined),
    digest: (text) => `sha256:${digest(text)}`,
    ...(store ? { holder: store.holder } : {}),
  })
  return { engine, store }
}

/**
 * @param {import('@tenon/kernel').Model} model
 * @param {readonly import('@tenon/kernel').Tool[]} tools
 * @param {import('@tenon/kernel').Policy} policy
 * @returns {import('@tenon/kernel').Agent}
 */
export function benchAgent(model, tools, policy) {
  return { name: 'bench', model, tools, planner: react(), policy, frame: [], limits: { steps: 1_000_000 } }
}

/**
 * A model that answers at once: with what `blocks` says of the number of observations that it is shown.
 *
 * @param {(request: import('@tenon/kernel').ModelRequest) => readonly import('@tenon/kernel').UnboundCall[]} calls
 * @returns {import('@tenon/kernel').Model}
 */
export function instantModel(calls) {
  const author = { provider: 'bench', model: 'instant', dialect: 'none' }
  const usage = { input: 1, cachedInput: 0, cacheWrite: 0, output: 1, reasoning: null }
  return {
    author,
    contextWindow: 1_000_000_000,
    *generate(request) {
      const proposed = calls(request)
      for (const [index, block] of proposed.entries()) yield { kind: 'block-ended', index, block }
      if (proposed.length === 0) yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: 'done' } }
      yield { kind: 'finished', finish: proposed.length === 0 ? 'stop' : 'tool-calls', usage, diagnostics: [] }
    },
  }
}
