import { z } from 'zod'
import { lookupResult } from './workload.mjs'

/**
 * The floor: what a person writes in an afternoon. No journal, no consent, no limits, nothing survives anything.
 *
 * @type {import('./workload.mjs').SubjectFactory}
 */
export async function subject() {
  const input = z.object({ query: z.string(), n: z.number().int() })
  return {
    async run({ steps, parallel }) {
      let calls = 0
      let seen = 0
      const listener = () => {
        seen += 1
      }
      const messages = [{ role: 'user', content: /** @type {unknown} */ ('go') }]
      for (let step = 0; ; step += 1) {
        const answer = await model(step, steps, parallel)
        messages.push({ role: 'assistant', content: answer })
        listener()
        if (!answer.calls) break
        const results = await Promise.all(
          answer.calls.map(async ({ id, args }) => {
            const { query, n } = input.parse(JSON.parse(args))
            calls += 1
            return { id, content: JSON.stringify(lookupResult(query, n)) }
          }),
        )
        for (const result of results) messages.push({ role: 'tool', content: result })
      }
      if (seen !== steps + 1) throw new Error('the subscriber missed something')
      return calls
    },
  }
}

/** @param {number} step @param {number} steps @param {number} parallel */
async function model(step, steps, parallel) {
  if (step >= steps) return { text: 'done' }
  const calls = Array.from({ length: parallel }, (_, n) => ({
    id: `c${step}_${n}`,
    args: JSON.stringify({ query: 'x', n }),
  }))
  return { calls }
}
