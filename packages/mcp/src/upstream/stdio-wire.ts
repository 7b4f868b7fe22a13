import { McpError } from '../errors.js'
import { ServerProcess } from '../supervisor/server-process.js'
import { LineSplitter } from './line-splitter.js'
import { NoiseWatch } from './noise-watch.js'
import { readBytes } from './read-bytes.js'
import { tooLarge } from './too-large.js'
import type { UpstreamLimits, UpstreamTarget } from './upstream.js'
import type { MakeWire, Wire, WireEvents } from './wire.js'

/** Bytes that may wait for a process that does not read. */
const MAX_BACKLOG = 64 * 1024 * 1024

/** One message a line, on the pipes of a process. */
export function stdioWire(
  name: string,
  target: Extract<UpstreamTarget, { kind: 'stdio' }>,
  limits: UpstreamLimits,
): MakeWire {
  return (events: WireEvents): Wire => {
    const noise = new NoiseWatch(name, limits.startTimeoutMs / 2, events.down)
    const splitter = new LineSplitter(
      limits.maxMessageBytes,
      (line) => {
        if (line.length === 0 || (line.length === 1 && line[0] === 13)) return
        const messages = readBytes(line, events.diagnose)
        if (messages === undefined) {
          const text = line.toString('utf8').slice(0, 500)
          server.log.add(`${text}\n`)
          events.diagnose('stdout-noise', text.slice(0, 200))
          noise.heardNoise(text)
          return
        }
        // A log may be written as JSON.
        if (messages.every(({ kind }) => kind === 'bad')) noise.heardNoise(line.toString('utf8'))
        else noise.end()
        for (const message of messages) events.received(message, undefined)
      },
      (bytes, id) => {
        events.diagnose('message-too-large', `${bytes} bytes`)
        if (id !== undefined) events.lost(id, tooLarge(name, bytes, limits.maxMessageBytes))
      },
    )
    const server = new ServerProcess(name, target, limits.closeGraceMs, {
      output: (chunk) => splitter.push(chunk),
      ended: (error) => {
        noise.end()
        // A last message whose line end was lost with the process is still an answer.
        const last = splitter.rest.length === 0 ? undefined : readBytes(splitter.rest, () => {})
        for (const message of last ?? []) events.received(message, undefined)
        events.down(error)
      },
      diagnose: events.diagnose,
    })
    return {
      transport: 'stdio',
      send(message) {
        const line = `${JSON.stringify(message)}\n`
        if (server.backlog + line.length > MAX_BACKLOG && 'method' in message && 'id' in message) {
          events.lost(message.id, new McpError('mcp-protocol-error', `${name} does not read what it is sent.`))
          return
        }
        server.write(line)
      },
      forget() {},
      listen() {},
      get log() {
        return server.log.text
      },
      close() {
        noise.end()
        return server.close()
      },
    }
  }
}
