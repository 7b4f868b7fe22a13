import { join } from 'node:path'
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { z } from 'zod'
import { lookupResult } from '../loop/workload.mjs'
import { InstantChatModel, sqliteSaver } from './langgraph-agent.mjs'

// Otherwise the subscriber hears of things long after they happened.
process.env.LANGCHAIN_CALLBACKS_BACKGROUND = 'false'

export async function subject({ journal, folder }) {
  const saver = journal === 'sqlite' ? sqliteSaver(join(folder, 'langgraph.db')) : undefined
  let threads = 0
  return {
    async run({ steps, parallel }) {
      let calls = 0
      let step = 0
      let seen = 0
      const lookup = tool(
        async ({ query, n }) => {
          calls += 1
          return JSON.stringify(lookupResult(query, n))
        },
        {
          name: 'lookup',
          description: 'Looks something up',
          schema: z.object({ query: z.string(), n: z.number().int() }),
        },
      )
      const llm = new InstantChatModel(() => {
        if (step >= steps) return { content: 'done' }
        const tool_calls = Array.from({ length: parallel }, (_, index) => {
          const n = step * parallel + index
          return { id: `c${n}`, name: 'lookup', args: { query: 'x', n }, type: 'tool_call' }
        })
        step += 1
        return { content: '', tool_calls }
      })
      const agent = createReactAgent({ llm, tools: [lookup], ...(saver ? { checkpointer: saver } : {}) })
      threads += 1
      const { messages } = await agent.invoke(
        { messages: [{ role: 'user', content: 'go' }] },
        {
          recursionLimit: 2 * steps + 5,
          configurable: { thread_id: `t${threads}` },
          callbacks: [
            {
              handleToolEnd: () => {
                seen += 1
              },
            },
          ],
        },
      )
      if (messages.at(-1)?.content !== 'done' || seen === 0)
        throw new Error('ended early, or the subscriber saw nothing')
      return calls
    },
  }
}
