import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')

test('the example of the README works with the server that it names', () => {
  const readme = readFileSync(join(root, 'packages', 'mcp', 'README.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'tenon-mcp-readme-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const example = (/```js\n(.*?)```/s.exec(readme)?.[1] ?? '')
    // From the registry by npx, or from here: the same program.
    .replace("command: 'npx'", `command: ${JSON.stringify(process.execPath)}`)
    .replace("'-y', '@modelcontextprotocol/server-filesystem'", JSON.stringify(server))
  writeFileSync(join(folder, 'example.mjs'), example)
  const { stdout, status } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(status).toBe(0)
  expect(stdout).toContain('legacy true')
  expect(stdout).toContain('example.mjs')
})

test('the service of the README asks a client of each era', async () => {
  const readme = readFileSync(join(root, 'packages', 'mcp', 'README.md'), 'utf8')
  const [, block = ''] = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code)
  const folder = mkdtempSync(join(tmpdir(), 'tenon-mcp-readme-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const port = await freePort()
  writeFileSync(join(folder, 'example.mjs'), `${block.replace('8931', String(port))}\nconsole.log('ready')\n`)
  const server = spawn(process.execPath, ['example.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await new Promise((ready) => server.stdout.once('data', ready))
    for (const mode of ['legacy', 'auto'] as const) {
      const client = new Client(
        { name: 'reader', version: '1' },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
      )
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { zone: 'Asia/Tokyo' } }))
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
      expect(JSON.stringify((await client.callTool({ name: 'now' })).content)).toMatch(/\d+:\d\d/)
      await client.close()
    }
  } finally {
    server.kill()
    rmSync(folder, { recursive: true })
  }
})

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
