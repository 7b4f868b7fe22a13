import { createHash } from 'node:crypto'
import { createEngine, react } from '@tenon/kernel'

const author = { provider: 'test', model: 'by rule', dialect: 'none' }

/** Calls `count` once and then answers with what it was told. Decides by what it is shown, so that any process may go on. */
const model = {
  author,
  contextWindow: 100_000,
  *generate({ messages }) {
    const last = messages.at(-1)
    const block =
      last?.role === 'tool'
        ? { kind: 'text', text: `There are ${last.blocks[0].content[0].text}.` }
        : { kind: 'tool-call', name: 'count', args: {} }
    yield { kind: 'block-ended', index: 0, block }
    yield { kind: 'finished', finish: 'stop', usage: null, diagnostics: [] }
  },
}

/**
 * An engine over the store with one agent, `apples`, whose only tool is `count`.
 *
 * @param {import('@tenon/store').Store} store
 * @param {import('@tenon/kernel').Tool['run']} count
 * @param {'allow' | 'ask'} disposition
 */
export function appleEngine(store, count, disposition = 'allow') {
  const input = { json: { type: 'object' }, check: (value) => ({ ok: true, value }) }
  const origin = { kind: 'function', name: 'test' }
  const tool = { name: 'count', description: 'Counts', input, effect: 'pure', origin, run: count }
  const policy = { rules: [], otherwise: disposition }
  const agent = { name: 'apples', model, tools: [tool], planner: react(), policy, frame: [], limits: {} }
  const digest = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`
  return createEngine({ ...store, agents: () => agent, digest })
}
