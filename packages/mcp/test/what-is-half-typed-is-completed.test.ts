import type { JsonObject } from '@tenon/kernel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { rpcError } from '../src/errors.js'
import { completeArgument } from '../src/host/complete-argument.js'
import { completePrompt } from '../src/host/complete-prompt.js'
import type { McpHost } from '../src/host/mcp-host.js'
import { promptNamed } from '../src/host/prompt-of-server.js'
import type { McpService } from '../src/server/service.js'
import type { EraName, Upstream } from '../src/upstream/upstream.js'
import { hostOf, verdictsOf } from './host-call.js'
import { served } from './served.js'

const CITIES: Readonly<Record<string, readonly string[]>> = {
  fr: ['Paris', 'Pau', 'Lyon'],
  de: ['Passau', 'Bonn am Rhein'],
}
const PROMPT = { name: 'weather', arguments: [{ name: 'country', required: true }, { name: 'city' }] }

type Completing = (params: JsonObject) => JsonObject

/** Completes cities of the country that was given, and everything else by itself. */
const cities: Completing = ({ argument, context }) => {
  const { name, value } = argument as { name: string; value: string }
  const { country = '' } = ((context as JsonObject | undefined)?.arguments ?? {}) as { country?: string }
  const all = name === 'country' ? Object.keys(CITIES) : (CITIES[country] ?? [])
  return { completion: { values: all.filter((one) => one.startsWith(value)), hasMore: false } }
}

async function upstreamOf(complete: Completing, declared = true, era: EraName = 'modern') {
  const asked: JsonObject[] = []
  const service: McpService = {
    info: () => ({ serverInfo: {}, capabilities: { prompts: {}, ...(declared ? { completions: {} } : {}) } }),
    async request({ method, params }) {
      if (method === 'prompts/list') return { prompts: [PROMPT] }
      asked.push(params)
      return complete(params)
    },
    follow: () => ({ changed() {}, stop() {} }),
  }
  const host = hostOf([{ name: 'far', target: { kind: 'http', url: await served(service) } }], {
    verdicts: verdictsOf(era),
  })
  const upstream = host.server('far')?.upstream as Upstream
  onTestFinished(() => upstream.close())
  return { host, upstream, asked }
}

describe.each<EraName>(['modern', 'legacy'])('a %s server', (era) => {
  test('is told what was given already, and its order is kept', async () => {
    const { upstream, asked } = await upstreamOf(cities, true, era)
    expect(await completeArgument(upstream, { prompt: 'weather' }, 'city', 'Pa', { country: 'fr' })).toEqual([
      'Paris',
      'Pau',
    ])
    expect(asked).toEqual([
      {
        ref: { type: 'ref/prompt', name: 'weather' },
        argument: { name: 'city', value: 'Pa' },
        context: { arguments: { country: 'fr' } },
      },
    ])
    await completeArgument(upstream, { template: 'city://{name}' }, 'name', '')
    expect(asked[1]).toEqual({
      ref: { type: 'ref/resource', uri: 'city://{name}' },
      argument: { name: 'name', value: '' },
    })
  })
})

test.each<readonly [string, boolean, Completing]>([
  ['does not declare it', false, cities],
  [
    'refuses',
    true,
    () => {
      throw rpcError(-32602, 'There is no such prompt.')
    },
  ],
  ['answers something else', true, () => ({ completion: { values: 'Paris' } })],
  ['answers nothing', true, () => ({})],
])('where a server %s, nothing is completed and nothing fails', async (_, declared, complete) => {
  const { upstream, asked } = await upstreamOf(complete, declared)
  expect(await completeArgument(upstream, { prompt: 'weather' }, 'country', '')).toEqual([])
  expect(asked).toHaveLength(declared ? 1 : 0)
})

test('what would act on a terminal is left out, and so is what comes twice or past the hundredth', async () => {
  const many = Array.from({ length: 300 }, (_, at) => `v${at}`)
  const values = ['a\nrm -rf', '\u001b[2J', 'ok', 'ok', '\u202Egnp.exe', 7, ...many]
  const { upstream } = await upstreamOf(() => ({ completion: { values } }))
  const found = await completeArgument(upstream, { prompt: 'weather' }, 'country', '')
  expect(found.slice(0, 2)).toEqual(['ok', 'v0'])
  expect(found).toHaveLength(100)
})

test.each([
  [[], 'd', ['de']],
  [['fr'], 'P', ['Paris', 'Pau']],
  [['country=de'], '', ['Passau', 'Bonn am Rhein']],
  [['country=de'], 'city=B', ['city=Bonn am Rhein']],
  [['city=Lyon'], 'country=f', ['country=fr']],
  [['fr', 'Pau'], 'x', []],
])('behind /far:weather %j, "%s" may become %j', async (words, typed, found) => {
  const { host } = await upstreamOf(cities)
  expect(await completed(host, words, typed)).toEqual(found)
})

const completed = async (host: McpHost, words: readonly string[], typed: string): Promise<readonly string[]> =>
  completePrompt(host, await promptNamed(host, 'far', 'weather'), words, typed)
