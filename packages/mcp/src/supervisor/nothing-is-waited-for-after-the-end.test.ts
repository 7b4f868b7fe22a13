import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** A process with no timers but those of the server that it starts and ends. */
const SCRIPT = `
import { ServerProcess } from ${JSON.stringify(new URL('../../dist/supervisor/server-process.js', import.meta.url).href)}
const news = []
const target = { kind: 'stdio', command: process.execPath, args: ['-e', 'process.stdin.pipe(process.stdout)'] }
const server = new ServerProcess('echo', target, 60_000, {
  output: (chunk) => news.push(String(chunk)),
  ended: ({ code }) => news.push(code),
  diagnose: (code) => news.push(code),
})
await server.close()
// Word of the exit and of the closed output may come with the end or right after it.
await new Promise((turn) => setImmediate(turn))
console.log(JSON.stringify({ timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, news }))
`

test('a server that ends when it is asked to leaves no timer behind, and its end is no news', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual({ timers: 0, news: [] })
})
