import { expect, test } from 'vitest'
import { ServerProcess } from './server-process.js'

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('a server that ends when it is asked to leaves no timer behind, and its end is no news', async () => {
  const before = timers()
  const news: string[] = []
  const server = new ServerProcess(
    'echo',
    { kind: 'stdio', command: process.execPath, args: ['-e', 'process.stdin.pipe(process.stdout)'] },
    5_000,
    {
      output: (chunk) => void news.push(chunk.toString()),
      ended: ({ code }) => void news.push(code),
      diagnose: (code) => void news.push(code),
    },
  )
  await server.close()
  // Word of the exit and of the closed output comes with or after the end.
  await new Promise((turn) => setImmediate(turn))
  expect([timers() - before, news]).toEqual([0, []])
})
