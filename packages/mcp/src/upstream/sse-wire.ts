import { McpError } from '../errors.js'
import { HttpDoor } from './http-door.js'
import { httpAgent } from './http-exchange.js'
import { httpFailure } from './http-failure.js'
import { type JsonRpcMessage, sniffId } from './json-rpc.js'
import { readText } from './read-bytes.js'
import { SseReader } from './sse-reader.js'
import type { HttpWireOptions } from './streamable-wire.js'
import { tooLarge } from './too-large.js'
import type { MakeWire } from './wire.js'

/** HTTP+SSE of 2024-11-05: one stream carries all that the server says, and names the address for what we say. */
export function sseWire({ name, target, limits, auth }: HttpWireOptions): MakeWire {
  return (events) => {
    const agent = httpAgent()
    const url = new URL(target.url)
    const door = new HttpDoor({ name, url, agent, headers: target.headers, auth, diagnose: events.diagnose })
    const waiting: (() => void)[] = []
    let endpoint: URL | undefined
    let over = false
    const down = (error: McpError): void => {
      if (over) return
      over = true
      stream.abort()
      events.down(error)
    }
    const named = (data: string): void => {
      const found = URL.canParse(data, url.href) ? new URL(data, url) : undefined
      if (found?.origin !== url.origin) {
        events.diagnose('endpoint-refused', found?.origin ?? 'not an address')
        down(
          new McpError('mcp-protocol-error', `${name} names an address of another origin for its messages; refused.`),
        )
        return
      }
      endpoint = found
      for (const send of waiting.splice(0)) send()
    }
    const reader = new SseReader(
      limits.maxMessageBytes,
      ({ name: event, data }) => {
        if (event === 'endpoint') named(data)
        if (event !== 'message' || data === '') return
        const messages = readText(data, events.diagnose)
        if (messages === undefined) events.diagnose('bad-message', data.slice(0, 200))
        else for (const message of messages) events.received(message, undefined)
      },
      (chars, head, tail) => {
        events.diagnose('message-too-large', `${chars} characters`)
        const id = sniffId(head, tail)
        if (id !== undefined) events.lost(id, tooLarge(name, chars, limits.maxMessageBytes))
      },
    )
    const stream = door.knock(
      { method: 'GET', url, headers: { accept: 'text/event-stream' } },
      {
        head(head) {
          const isStream = /^text\/event-stream/i.test(head.headers['content-type'] ?? '')
          if (head.status >= 300) down(httpFailure(name, head))
          else if (!isStream) {
            const type = head.headers['content-type'] ?? 'no content type'
            down(new McpError('mcp-protocol-error', `${name} answered with ${type} in place of an event stream.`))
          }
        },
        data: (chunk) => reader.push(chunk),
        end: () => down(new McpError('mcp-connection-lost', `The event stream of ${name} ended.`)),
        refused: down,
        fail: (cause) => down(new McpError('mcp-connection-lost', `The event stream of ${name} broke.`, { cause })),
      },
    )
    const post = (message: JsonRpcMessage, headers: Readonly<Record<string, string>> | undefined): void => {
      if (endpoint === undefined || over) return
      const id = 'method' in message && 'id' in message ? message.id : undefined
      const lose = (error: McpError): void => {
        if (id !== undefined) events.lost(id, error)
      }
      door.knock(
        {
          method: 'POST',
          url: endpoint,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(message),
        },
        {
          head(head) {
            if (head.status >= 300) lose(httpFailure(name, head))
          },
          data() {},
          end() {},
          refused: lose,
          fail: (cause) => lose(new McpError('mcp-connection-lost', `${name} did not take the message.`, { cause })),
        },
      )
    }
    return {
      transport: 'sse',
      log: '',
      send(message, options) {
        if (endpoint === undefined) waiting.push(() => post(message, options?.headers))
        else post(message, options?.headers)
      },
      forget() {},
      listen() {},
      async close() {
        over = true
        stream.abort()
        await agent.destroy()
      },
    }
  }
}
