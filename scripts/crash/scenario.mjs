// The run that is killed: pure, idempotent, once and attachable calls, three of them at once, an approval, a sub-run.
// Its models choose by what they are shown, so they can go on after a restart like any other.
import { react, runAgentTool, text } from '@tenon/kernel'

const AUTHOR = Object.freeze({ provider: 'script', model: 'crash', dialect: 'script' })
const anyObject = { json: { type: 'object' }, check: (value) => ({ ok: true, value }) }
const usage = { input: 1, cachedInput: 0, cacheWrite: 0, output: 1, reasoning: null }
const call = (name, args = {}) => ({ kind: 'tool-call', name, args, alias: name, author: AUTHOR })

/** @param {(results: Map<string, string>) => { kind: string }[]} next what to say, by the last result of each tool */
function model(next) {
  return {
    author: AUTHOR,
    contextWindow: 100_000,
    *generate({ messages }) {
      const results = new Map()
      for (const message of messages)
        if (message.role === 'tool')
          for (const { name, content } of message.blocks)
            results.set(name, content.map((part) => part.text ?? '').join(''))
      const blocks = next(results)
      for (const [index, block] of blocks.entries()) yield { kind: 'block-ended', index, block }
      const finish = blocks.some(({ kind }) => kind === 'tool-call') ? 'tool-calls' : 'stop'
      yield { kind: 'finished', finish, usage, diagnostics: [] }
    },
  }
}

/** A call whose outcome nobody knows is proposed again; the broker then asks a person. */
const unsure = (told) => told === undefined || told.includes('unknown')

const mainModel = () =>
  model((told) => {
    if (!told.has('look')) return [call('look'), call('put'), call('peer')]
    if (unsure(told.get('pay'))) return [call('pay', { amount: 5 })]
    if (!told.has('run_agent')) return [call('run_agent', { agent: 'helper', goal: 'note it' })]
    return [{ kind: 'text', text: 'done', author: AUTHOR }]
  })

const helperModel = () =>
  model((told) => (unsure(told.get('note')) ? [call('note')] : [{ kind: 'text', text: 'noted', author: AUTHOR }]))

/**
 * @param {(name: string, key: string) => Promise<unknown>} effect changes the world outside
 * @param {() => import('@tenon/kernel').Engine} engine
 */
export function scenario(effect, engine) {
  const tool = (name, how, run) => ({
    name,
    description: name,
    input: anyObject,
    effect: how,
    origin: { kind: 'function', name: 'crash' },
    trust: 'vetted',
    run,
  })
  const acts = (name, how) =>
    tool(name, how, async (_args, { key }) => {
      await effect(name, key)
      return { kind: 'result', content: [text(`${name} done`)] }
    })
  /** A job that lives elsewhere: submitted once, attached to by its handle ever after. */
  const peer = tool('peer', 'idempotent', async function* (_args, { key, handle }) {
    let job = handle
    if (job === undefined) {
      job = await effect('peer', key)
      yield { kind: 'handle', handle: job }
    }
    await effect('attach', String(job))
    yield { kind: 'result', content: [text('peer done')] }
  })
  const agent = (name, parts) => ({ name, planner: react(), frame: [], limits: {}, ...parts })
  const policy = { rules: [{ disposition: 'ask', tool: 'pay' }], otherwise: 'allow' }
  const agents = [
    agent('main', {
      model: mainModel(),
      policy,
      tools: [
        acts('look', 'pure'),
        acts('put', 'idempotent'),
        acts('pay', 'once'),
        peer,
        runAgentTool({ engine, agents: [{ name: 'helper' }] }),
      ],
    }),
    agent('helper', { model: helperModel(), policy, tools: [acts('note', 'once')] }),
  ]
  return (name) => agents.find((one) => one.name === name)
}
