import { describe } from 'vitest'
import { oldStockServer, stockServer } from './support/stock-servers.js'
import { worksWith } from './support/works-with.js'

describe.each([
  ['1.3.0 over JSON-RPC', () => stockServer('JSONRPC')],
  ['1.3.0 over HTTP+JSON', () => stockServer('HTTP+JSON')],
  ['1.3.0 over gRPC', () => stockServer('GRPC')],
  ['0.3.14 over JSON-RPC', () => oldStockServer('JSONRPC')],
  ['0.3.14 over HTTP+JSON', () => oldStockServer('HTTP+JSON')],
])('a server made with @a2a-js/sdk %s', (_name, start) => worksWith(start))
