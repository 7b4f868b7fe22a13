import { expect, onTestFinished, test } from 'vitest'
import { memoryPins } from '../src/catalogue/pins.js'
import { ServerCatalogue } from '../src/catalogue/server-catalogue.js'
import type { McpService } from '../src/server/service.js'
import { connectUpstream } from '../src/supervisor/supervised-upstream.js'
import { served } from './served.js'

/** Looks its tools up when it is asked, and answers with them when it is told to. */
function slowServer(tools: string[]) {
  const held: (() => void)[] = []
  let asked = (): void => {}
  const service: McpService = {
    info: () => ({ serverInfo: {}, capabilities: { tools: {} } }),
    async request() {
      const seen = tools.map((name) => ({ name, inputSchema: { type: 'object' } }))
      await new Promise<void>((resolve) => {
        held.push(resolve)
        asked()
      })
      return { tools: seen }
    },
    follow: () => ({ changed() {}, stop() {} }),
  }
  /** Waits until somebody has asked. */
  async function isAsked(): Promise<void> {
    if (held.length > 0) return
    await new Promise<void>((resolve) => {
      asked = resolve
    })
  }
  /** Lets whoever has asked, or is the next to ask, have their answer. */
  async function answerOne(): Promise<void> {
    await isAsked()
    held.shift()?.()
  }
  return { service, isAsked, answerOne }
}

test('a list that changes while it is read is read once more, for all who ask meanwhile', async () => {
  const tools = ['old']
  const { service, answerOne, isAsked } = slowServer(tools)
  const upstream = connectUpstream({
    name: 'slow',
    target: { kind: 'http', url: await served(service) },
    clientInfo: { name: 'test', version: '1' },
  })
  const catalogue = new ServerCatalogue({ upstream, pins: memoryPins(), trusted: false, diagnose() {} })
  onTestFinished(async () => {
    catalogue.close()
    await upstream.close()
  })
  const named = async (reading: Promise<unknown>) => JSON.stringify(await reading)
  const first = named(catalogue.list('tools'))
  await isAsked()
  const shared = named(catalogue.list('tools'))
  tools.push('new')
  const later = [named(catalogue.list('tools', true)), named(catalogue.list('tools', true))]
  await answerOne()
  expect(await first).not.toContain('new')
  expect(await shared).toBe(await first)
  await answerOne()
  for (const reading of later) expect(await reading).toContain('new')
  expect(catalogue.tools.map(({ name }) => name)).toEqual(['old', 'new'])
})
