import { expect, test } from 'vitest'
import { servedTenon } from './served-tenon.js'
import { place } from './tenon-process.js'

const CONFIG = (words: string) => `
agents: { helper: { public: {}, system: ${words} } }
store: { dir: ../store }
`
const REHEARSAL = (pace: number, words: string) => `
rehearsal: helper
pace: ${pace}
scenes: [{ name: talk, when: { turns: 0 }, say: { text: '${words} ${words} ${words}' } }]
`

test('two folders over one store: a run that was killed goes on in its own folder only', async () => {
  const here = place()
  const there = place()
  for (const [one, words] of [
    [here, 'here'],
    [there, 'there'],
  ] as const) {
    one.write('tenon.yaml', CONFIG(words))
    one.write('rehearsal.yaml', REHEARSAL(words === 'here' ? 0.5 : 100, words))
  }
  const args = ['--rehearsal', 'rehearsal.yaml', '--store', here.store]
  const first = await servedTenon(here, args)
  const post = await fetch(`${first.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'agent:helper', input: 'Talk.', background: true }),
  })
  const { id } = (await post.json()) as { readonly id: string }
  await first.end('SIGKILL')

  const other = await servedTenon(there, args)
  // The other server has looked through the store by the time it has done work of its own.
  await fetch(`${other.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'agent:helper', input: 'Talk.' }),
  })
  expect((await fetch(`${other.url}/v1/responses/${id}`)).status).toBe(404)
  here.write('rehearsal.yaml', REHEARSAL(100, 'here'))
  const again = await servedTenon(here, args)
  const stream = await fetch(`${again.url}/v1/responses/${id}?stream=true`)
  const told = await stream.text()
  expect(told).toContain('here here here')
  expect(told).not.toContain('there')
})
