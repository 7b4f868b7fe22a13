import { startRequestServer } from '@tenon/a2a/cases'

/** Our server around the fixture agent, on SQLite. */
export async function tenonServer() {
  const server = await startRequestServer({}, () => false)
  return { url: server.urls['jsonrpc 1.0'] ?? '', stop: () => server.stop() }
}
