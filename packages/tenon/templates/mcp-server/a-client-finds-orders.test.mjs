import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const server = fileURLToPath(new URL('server.mjs', import.meta.url))

for (const [era, mode] of [
  ['modern', 'auto'],
  ['legacy', 'legacy'],
])
  test(`a client of the ${era} era finds an order`, async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }))
    try {
      assert.equal(client.getProtocolEra(), era)
      const { content } = await client.callTool({ name: 'find_orders', arguments: { customer: '海风' } })
      assert.match(content[0].text, /A-1002/)
    } finally {
      await client.close()
    }
  })
