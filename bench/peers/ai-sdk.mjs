import { generateText, isStepCount, tool } from 'ai'
import { z } from 'zod'
import { lookupResult } from '../loop/workload.mjs'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export async function subject() {
  const inputSchema = z.object({ query: z.string(), n: z.number().int() })
  return {
    async run({ steps, parallel }) {
      let calls = 0
      let step = 0
      let seen = 0
      const model = {
        specificationVersion: 'v4',
        provider: 'bench',
        modelId: 'instant',
        supportedUrls: {},
        async doGenerate() {
          const wantsCalls = step < steps
          const content = wantsCalls
            ? Array.from({ length: parallel }, (_, index) => {
                const n = step * parallel + index
                return {
                  type: 'tool-call',
                  toolCallId: `c${n}`,
                  toolName: 'lookup',
                  input: JSON.stringify({ query: 'x', n }),
                }
              })
            : [{ type: 'text', text: 'done' }]
          step += 1
          const unified = wantsCalls ? 'tool-calls' : 'stop'
          return { content, finishReason: { unified, raw: unified }, usage, warnings: [] }
        },
      }
      const lookup = tool({
        description: 'Looks something up',
        inputSchema,
        execute: async ({ query, n }) => {
          calls += 1
          return lookupResult(query, n)
        },
      })
      const { text } = await generateText({
        model,
        tools: { lookup },
        prompt: 'go',
        stopWhen: isStepCount(steps + 2),
        onStepFinish: () => {
          seen += 1
        },
      })
      if (text !== 'done' || seen !== steps + 1) throw new Error(`ended early: ${text}, ${seen} steps seen`)
      return calls
    },
  }
}
