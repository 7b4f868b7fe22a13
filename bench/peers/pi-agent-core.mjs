import { Agent } from '@mariozechner/pi-agent-core'
import { createAssistantMessageEventStream, Type } from '@mariozechner/pi-ai'
import { lookupResult } from '../loop/workload.mjs'

const model = {
  id: 'instant',
  name: 'instant',
  api: 'openai-completions',
  provider: 'bench',
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1e9,
  maxTokens: 1000,
}
const usage = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

export async function subject() {
  return {
    async run({ steps, parallel }) {
      let calls = 0
      let step = 0
      const lookup = {
        name: 'lookup',
        label: 'lookup',
        description: 'Looks something up',
        parameters: Type.Object({ query: Type.String(), n: Type.Integer() }),
        execute: async (_id, { query, n }) => {
          calls += 1
          return { content: [{ type: 'text', text: JSON.stringify(lookupResult(query, n)) }], details: {} }
        },
      }
      const streamFn = () => {
        const stream = createAssistantMessageEventStream()
        const wantsCalls = step < steps
        const content = wantsCalls
          ? Array.from({ length: parallel }, (_, index) => {
              const n = step * parallel + index
              return { type: 'toolCall', id: `c${n}`, name: 'lookup', arguments: { query: 'x', n } }
            })
          : [{ type: 'text', text: 'done' }]
        step += 1
        const reason = wantsCalls ? 'toolUse' : 'stop'
        const message = {
          role: 'assistant',
          content,
          api: model.api,
          provider: model.provider,
          model: model.id,
          usage,
          stopReason: reason,
          timestamp: 0,
        }
        stream.push({ type: 'start', partial: message })
        stream.push({ type: 'done', reason, message })
        return stream
      }
      const agent = new Agent({ initialState: { systemPrompt: 'bench', model, tools: [lookup] }, streamFn })
      let seen = 0
      agent.subscribe(() => {
        seen += 1
      })
      await agent.prompt('go')
      if (seen === 0) throw new Error('the subscriber saw nothing')
      return calls
    },
  }
}
