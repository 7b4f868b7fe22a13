import {
  type Agent,
  type Model,
  type ModelBlock,
  type ModelRequest,
  type Policy,
  type Prices,
  react,
  type Tool,
  type Usage,
} from '@tenon/kernel'

/** An agent whose model says what the test has written, a turn at a time; `asked` are the requests that it got. */
export function scriptedAgent(
  turns: readonly (readonly ModelBlock[])[],
  more: {
    readonly tools?: readonly Tool[]
    readonly policy?: Policy
    readonly prices?: Prices
    readonly usage?: Usage
  } = {},
): { readonly agent: Agent; readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  const model: Model = {
    author: { provider: 'script', model: 'script', dialect: 'script' },
    contextWindow: 100_000,
    ...(more.prices === undefined ? {} : { prices: more.prices }),
    *generate(request) {
      const blocks = turns[asked.length] ?? [{ kind: 'text', text: 'done' }]
      asked.push(request)
      for (const [index, block] of blocks.entries()) yield { kind: 'block-ended', index, block }
      const calls = blocks.some((block) => block.kind === 'tool-call')
      yield { kind: 'finished', finish: calls ? 'tool-calls' : 'stop', usage: more.usage ?? null, diagnostics: [] }
    },
  }
  const agent: Agent = {
    name: 'scripted',
    model,
    tools: more.tools ?? [],
    planner: react(),
    policy: more.policy ?? { rules: [], otherwise: 'allow' },
    frame: [],
    limits: {},
  }
  return { agent, asked }
}
