import { expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.js'
import { LOCAL_SERVERS, type LocalServerKind, probeLocalServers } from './local-servers.js'

const at = (id: string, origin: string): LocalServerKind => {
  const kind = LOCAL_SERVERS.find((server) => server.id === id)
  if (kind === undefined) throw new Error(id)
  return { id, title: kind.title, listPath: kind.listPath, usualWindow: kind.usualWindow, origin }
}

const LISTS: Readonly<Record<string, object>> = {
  '/api/tags': { models: [{ name: 'nomic-embed-text:latest' }, { name: 'qwen3:4b' }] },
  '/api/v0/models': {
    object: 'list',
    data: [
      { id: 'text-emb', type: 'embeddings' },
      { id: 'gemma', type: 'llm', max_context_length: 131072, loaded_context_length: 8192 },
    ],
  },
  '/v1/models': { object: 'list', data: [{ id: 'served', owned_by: 'vllm', max_model_len: 32768 }] },
}

test('each kind of server is read in its own form, embedding models left out', async () => {
  await using server = await scriptedServer((response, { path }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(LISTS[path]))
  })
  const servers = ['ollama', 'lmstudio', 'vllm'].map((id) => at(id, server.url))
  expect(await probeLocalServers({ env: {}, servers, timeoutMs: 5000 })).toMatchObject([
    { id: 'ollama', baseUrl: `${server.url}/v1`, models: [{ model: 'qwen3:4b' }] },
    { id: 'lmstudio', models: [{ model: 'gemma', contextWindow: 8192 }] },
    { id: 'vllm', models: [{ model: 'served', contextWindow: 32768 }] },
  ])
})

test('one that never answers and one that is something else are not there, and hold nothing up', async () => {
  await using silent = await scriptedServer(() => {})
  await using other = await scriptedServer((response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>a wiki</html>')
  })
  await using moved = await scriptedServer((response) => {
    response.writeHead(302, { location: 'http://192.0.2.1/' })
    response.end()
  })
  const servers = [at('ollama', silent.url), at('llamacpp', other.url), at('vllm', moved.url)]
  expect(await probeLocalServers({ env: {}, servers, timeoutMs: 200 })).toEqual([])
})

test('a list that is sent drop by drop does not hold the probe', async () => {
  await using server = await scriptedServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"models":[')
  })
  expect(await probeLocalServers({ env: {}, servers: [at('ollama', server.url)], timeoutMs: 200 })).toEqual([])
})
