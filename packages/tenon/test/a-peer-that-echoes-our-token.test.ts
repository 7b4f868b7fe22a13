import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { place } from './tenon-process.js'

test('a token of ours that a peer sends back reaches neither the model nor the journal', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const url = `http://${request.headers.host}/rpc`
      const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]
      response.end(JSON.stringify({ name: 'echo', supportedInterfaces }))
      return
    }
    seen.push(request.headers.authorization)
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const token = request.headers.authorization?.split(' ')[1]
      const artifacts = [{ artifactId: 'a', parts: [{ text: `you are ${token}` }] }]
      const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, artifacts }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: { task } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const here = place()
  here.write(
    'tenon.yaml',
    `models: { played: { provider: rehearsal, file: r.yaml } }
agents: { boss: { model: played, tools: [delegate] } }
peers:
  echo: { url: "http://127.0.0.1:${(server.address() as AddressInfo).port}", headers: { Authorization: "Bearer \${ECHO_TOKEN}" } }
policy: { otherwise: allow }
`,
  )
  here.write(
    'r.yaml',
    `rehearsal: a boss
scenes:
  - { name: give, when: { turns: 0 }, say: { calls: [{ tool: delegate, args: { peer: echo, brief: Who am I? } }] } }
  - { name: report, when: { results: [{ tool: delegate, matches: '(?<who>you are .*)' }] }, say: { text: "{{who}}" } }
`,
  )
  const ran = await here.tenon(['run', 'go', '--json'], { env: { ECHO_TOKEN: 'word-of-ours-1234' } })
  expect(ran.code).toBe(0)
  expect(seen).toEqual(['Bearer word-of-ours-1234'])
  expect(ran.stdout).toContain('you are [secret]')
  expect(ran.stdout + ran.stderr).not.toContain('word-of-ours')
})
