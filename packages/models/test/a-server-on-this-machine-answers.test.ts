import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { userMessage } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { chooseModel } from '../src/catalogue/choose-model.js'
import { connectModel } from '../src/catalogue/connect-model.js'
import { probeModels } from '../src/catalogue/probe-models.js'
import { scriptedServer, sse } from './support/scripted-server.js'

test('with no key and a server that answers, that server is found, chosen and asked', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tenon-empty-'))
  await using server = await scriptedServer((response, { path }) => {
    if (path === '/api/tags') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[{"name":"qwen3:4b"}]}')
      return
    }
    sse(
      response,
      [
        { id: 'c', model: 'qwen3:4b', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello.' } }] },
        { id: 'c', model: 'qwen3:4b', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ],
      'data: [DONE]\n\n',
    )
  })
  const { choice, ways } = chooseModel(await probeModels({ env: { OLLAMA_HOST: server.url }, dataFolder }))
  rmSync(dataFolder, { recursive: true })
  expect(ways.find(({ state }) => state === 'chosen')).toMatchObject({
    way: 'server',
    text: 'Ollama answers: qwen3:4b',
  })
  if (choice?.kind !== 'wire') throw new Error('no server was chosen')
  const said: string[] = []
  const request = { system: [], messages: [userMessage('Hi')], tools: [], toolChoice: 'auto', settings: {} } as const
  for await (const event of connectModel(choice.connection).generate(request, { signal: AbortSignal.timeout(30_000) }))
    if (event.kind === 'delta') said.push(event.text)
  expect(said.join('')).toBe('Hello.')
  expect(server.seen.at(-1)).toMatchObject({ path: '/v1/chat/completions' })
  expect(server.seen.at(-1)?.headers.authorization).toBeUndefined()
})
