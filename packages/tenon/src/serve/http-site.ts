import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HostError } from '../errors.js'
import { answerError } from './answer-error.js'
import type { Gate } from './gate.js'

/** One of several faces on one port. */
export type HttpFace = {
  /** What to show to whoever started the server. */
  readonly addresses: readonly string[]
  /** False where the path is none of its own. Asked only for what has passed the gate's Host and Origin. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** The server stops: takes up nothing new, and ends what streams by name. Runs are still driven until they rest. */
  leave?(): void
  close(): Promise<void>
}

export type HttpSite = {
  /** Where it listens. */
  readonly url: string
  readonly addresses: readonly string[]
  /** Takes no more requests, and ends what streams by name; what was begun may be answered yet. */
  leave(): void
  close(): Promise<void>
}

/** Milliseconds that a client has to send its headers. */
const HEADERS_MS = 15_000
/** The same for the whole request. An answer may take as long as a task does. */
const REQUEST_MS = 300_000

/** Milliseconds that answers may take to leave when the server stops; streams that end for nobody are cut then. */
const LAST_WORDS_MS = 1_000

/**
 * One HTTP server for all faces: behind the gate, the first that knows a path answers. `faces` is asked for once the
 * port is known.
 * @throws HostError `usage` when the address cannot be listened on
 */
export async function openHttpSite(
  at: { readonly host: string; readonly port: number },
  gate: Gate,
  faces: (url: string) => Promise<readonly HttpFace[]>,
  report: (error: unknown) => void,
): Promise<HttpSite> {
  let known: readonly HttpFace[] = []
  let isLeaving = false
  const open = new Set<ServerResponse>()
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, (request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'no-referrer')
    const stranger = gate.stranger(request)
    if (stranger !== undefined) return answerError(response, stranger)
    if (isLeaving) {
      response.setHeader('connection', 'close')
      return answerError(response, new HostError('server-stopping', 'The server stops. Come back when it runs again.'))
    }
    answer(known, request, response).catch((error) => {
      report(error)
      answerError(response, error)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new HostError('usage', `${at.host}:${at.port} cannot be listened on. Choose another --port.`, { cause }))
    })
    server.listen(at.port, at.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}`
  let closed: Promise<void> | undefined
  const leave = (): void => {
    if (isLeaving) return
    isLeaving = true
    closed = new Promise((resolve) => server.close(() => resolve()))
    for (const face of known) face.leave?.()
  }
  const close = async (): Promise<void> => {
    leave()
    await allClosed(open, LAST_WORDS_MS)
    server.closeAllConnections()
    await closed
    await Promise.all(known.map((face) => face.close()))
  }
  try {
    known = await faces(url)
  } catch (error) {
    await close()
    throw error
  }
  return { url, addresses: known.flatMap(({ addresses }) => addresses), leave, close }
}

async function allClosed(open: ReadonlySet<ServerResponse>, mostMs: number): Promise<void> {
  const closed = Promise.all(
    [...open].map((response) => new Promise<void>((resolve) => response.once('close', resolve))),
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostMs)
  })
  await Promise.race([closed, late])
  clearTimeout(timer)
}

async function answer(faces: readonly HttpFace[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const face of faces) if (await face.serve(request, response)) return
  answerError(response, new HostError('path-unknown', 'There is nothing at this path.'))
}
