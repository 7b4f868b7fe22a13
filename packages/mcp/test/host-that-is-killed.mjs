// Opens a server, says which processes there are, and waits to be killed.
import { connectUpstream } from '@tenon/mcp'

const upstream = connectUpstream({
  name: 'stubborn',
  target: { kind: 'stdio', command: process.execPath, args: [process.argv[2]] },
  clientInfo: { name: 'test', version: '1' },
})
const { content } = await upstream.request('tools/call', { name: 'pids', arguments: {} })
process.stdout.write(`${content[0].text}\n`)
setTimeout(() => {}, 30_000)
