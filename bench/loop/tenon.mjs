import { z } from 'zod'
import { tool } from '../../packages/tenon/dist/tools/tool.js'
import { benchAgent, instantModel, tenonEngine } from './tenon-engine.mjs'
import { lookupResult } from './workload.mjs'

/** @type {import('./workload.mjs').SubjectFactory} */
export async function subject({ journal, folder }) {
  let calls = 0
  /** @type {import('./workload.mjs').Workload} */
  let workload = { steps: 0, parallel: 0 }
  let step = 0
  const lookup = tool({
    name: 'lookup',
    description: 'Looks something up',
    input: z.object({ query: z.string(), n: z.number().int() }),
    effect: 'pure',
    run: ({ query, n }) => {
      calls += 1
      return lookupResult(query, n)
    },
  })
  const model = instantModel(() => {
    if (step >= workload.steps) return []
    step += 1
    return Array.from({ length: workload.parallel }, (_, index) => {
      const n = step * workload.parallel + index
      return {
        kind: 'tool-call',
        name: 'lookup',
        args: { query: 'x', n },
        argsText: `{"query":"x","n":${n}}`,
        alias: `c${n}`,
      }
    })
  })
  const { engine, store } = tenonEngine({ journal, folder, agent: benchAgent(model, [lookup], { rules: [] }) })
  return {
    async run(next) {
      calls = 0
      step = 0
      workload = next
      let seen = 0
      let last
      const stop = engine.subscribe((item) => {
        if (item.kind !== 'event') return
        seen += 1
        last = item.event
      })
      await engine.drive(await engine.submit({ agent: 'bench', goal: 'go' }))
      stop()
      const completed = last?.kind === 'run-ended' && last.state === 'completed'
      if (!completed || seen !== last?.seq) throw new Error(`${last?.kind}: ${seen} of ${last?.seq} events seen`)
      return calls
    },
    close: () => store?.close(),
  }
}
