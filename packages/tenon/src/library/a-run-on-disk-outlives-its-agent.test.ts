import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model, ModelEvent } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { expect, test } from 'vitest'
import { tool } from '../tools/tool.js'
import { agent } from './agent.js'

/** Calls `pay` once and then says what came of it. */
const payer: Model = {
  author: { provider: 'test', model: 'written', dialect: 'none' },
  contextWindow: 100_000,
  async *generate({ messages }): AsyncGenerator<ModelEvent> {
    const last = messages.at(-1)
    const result = last?.role === 'tool' ? last.blocks[0]?.content[0] : undefined
    if (result?.kind === 'text') {
      yield { kind: 'block-ended', index: 0, block: { kind: 'text', text: result.text } }
      yield { kind: 'finished', finish: 'stop', usage: null, diagnostics: [] }
      return
    }
    yield { kind: 'block-ended', index: 0, block: { kind: 'tool-call', name: 'pay', args: {}, argsText: '{}' } }
    yield { kind: 'finished', finish: 'tool-calls', usage: null, diagnostics: [] }
  },
}

test('a parked run is taken up, answered and finished by another agent over the same store', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-library-'))
  let paid = 0
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    run: () => {
      paid++
      return 'paid'
    },
  })
  try {
    const first = openStore({ dir })
    const before = agent({ model: payer, tools: [pay], store: first })
    const run = before.run('pay it')
    await expect(run.result).rejects.toMatchObject({ code: 'input-required' })
    await before.close()
    first.close()

    const second = openStore({ dir })
    const after = agent({ model: payer, tools: [pay], store: second, approve: () => true })
    expect((await after.resume(run.id).result).text).toBe('paid')
    expect(paid).toBe(1)
    await after.close()
    second.close()
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('a run that is not in the store rejects with a name', async () => {
  await expect(agent({ model: payer }).resume('run_nowhere').result).rejects.toMatchObject({ code: 'run-unknown' })
})
