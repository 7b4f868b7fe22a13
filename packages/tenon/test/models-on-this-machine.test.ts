// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration writes variables like this
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { place } from './tenon-process.js'

test('the list names what is configured, what a key opens and what a server here serves, and shows no key', async () => {
  const ollama = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ models: [{ name: 'qwen3:4b' }, { name: 'nomic-embed-text' }] }))
  })
  await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void ollama.close())
  const here = place()
  here.write('tenon.yaml', 'models:\n  mine: { provider: deepseek, model: deepseek-chat, apiKey: "${MY_KEY}" }\n')
  const { port } = ollama.address() as AddressInfo
  const env = { ANTHROPIC_API_KEY: 'sk-ant-0123456789', MY_KEY: 'sk-9876543210', OLLAMA_HOST: `127.0.0.1:${port}` }
  const { stdout, code } = await here.tenon(['models'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^mine +configuration +deepseek\/deepseek-chat$/m)
  expect(stdout).toMatch(/^anthropic\/\S+ +key in the environment/m)
  expect(stdout).toMatch(/^ollama\/qwen3:4b +Ollama/m)
  expect(stdout).not.toMatch(/embed|0123456789|9876543210/)
})

test('a file that is no model is refused, and nothing of it stays', async () => {
  const here = place()
  const file = here.write('letter.gguf', 'Dear reader')
  const added = await here.tenon(['models', 'add', file, '--yes'])
  expect(added).toMatchObject({ code: 1, stdout: '' })
  expect(added.stderr).toMatch(/\[local-model-invalid\]/)
  expect((await here.tenon(['models', 'list', '--json'])).stdout).not.toContain('letter')
})

test('a model that is not installed cannot be removed, and one that is unknown is named with those that are known', async () => {
  const here = place()
  const removed = await here.tenon(['models', 'remove', 'local/none'])
  expect(removed.code).toBe(1)
  expect(removed.stderr).toContain('No local model "none" is installed')
  const added = await here.tenon(['models', 'add', 'no-such-model'])
  expect(added.code).toBe(1)
  expect(added.stderr).toContain('qwen3-4b')
})
