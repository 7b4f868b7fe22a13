import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { ArtifactId, isTenonError, type Json, KernelError } from '@tenon/kernel'
import type { Host } from '../../host/host.js'
import { turnView } from '../../host/turn-view.js'
import type { Caller } from '../gate.js'
import { readBodyHandle, valueAt } from './body-handle.js'
import { publicEvent } from './public-event.js'
import { type Reply, route } from './route.js'
import { principalFilter, runOfCaller } from './runs-of-caller.js'

type Params = { readonly handle: string; readonly offset?: number; readonly length?: number }

/** Something that is kept under a handle, read piece by piece. */
type Kept = {
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  read(offset: number, length: number): Uint8Array
}

const PIECE = 256 * 1024

export const sendArtifact = route<Params>({
  name: 'getArtifact',
  method: 'GET',
  path: '/artifacts/{handle}',
  about: 'An artifact, or a body that was cut: whole, or `length` bytes from `offset`. Always as an attachment.',
  scope: 'runs:read',
  params: {
    handle: { in: 'path', schema: { type: 'string', minLength: 1, maxLength: 2_000 }, about: 'The handle.' },
    offset: { in: 'query', schema: { type: 'integer', minimum: 0 }, about: 'Absent: 0.' },
    length: { in: 'query', schema: { type: 'integer', minimum: 0 }, about: 'Absent: up to the end.' },
  },
  answers: {
    200: { about: 'The bytes; Tenon-Total-Bytes says how many there are in all.', type: '*/*' },
  },
  async answer({ ports: { host }, caller, params: { handle, offset = 0, length }, response, signal }) {
    const kept = (await bodyOf(host, caller, handle)) ?? artifactOf(host, caller, handle)
    if (kept === undefined) throw unknown(handle)
    const end = Math.min(kept.bytes, offset + (length ?? kept.bytes))
    return send(kept, Math.min(offset, kept.bytes), end, response, signal)
  },
})

const unknown = (handle: string): KernelError =>
  new KernelError('artifact-unknown', `There is no artifact ${handle.slice(0, 100)} that you may see.`)

function artifactOf({ store }: Host, caller: Caller, handle: string): Kept | undefined {
  const id = ArtifactId(handle)
  const meta = store.artifacts.meta(id)
  if (meta === undefined || !store.artifacts.isKeptFor(id, principalFilter(caller).principal)) return undefined
  return { ...meta, read: (offset, length) => store.artifacts.read(id, offset, length) }
}

async function bodyOf(host: Host, caller: Caller, handle: string): Promise<Kept | undefined> {
  const named = readBodyHandle(handle)
  if (named === undefined) return undefined
  const value = bodyAt(host, caller, named)
  if (value === undefined) return undefined
  const isText = typeof value === 'string'
  const bytes = Buffer.from(isText ? value : JSON.stringify(value))
  return {
    name: isText ? 'body.txt' : 'body.json',
    mediaType: isText ? 'text/plain; charset=utf-8' : 'application/json',
    bytes: bytes.byteLength,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  }
}

function bodyAt(
  host: Host,
  caller: Caller,
  { runId, of, pointer }: NonNullable<ReturnType<typeof readBodyHandle>>,
): Json | undefined {
  const { journal } = host.store
  try {
    runOfCaller(host, caller, runId)
    if (typeof of === 'string') return valueAt(turnView(journal.load(runId), of) as unknown as Json, pointer)
    const [event] = journal.load(runId, of - 1, 1)
    return event?.seq === of ? valueAt(publicEvent(event), pointer) : undefined
  } catch (error) {
    if (isTenonError(error) && (error.code === 'run-unknown' || error.code === 'turn-unknown')) return undefined
    throw error
  }
}

async function send(
  { name, mediaType, bytes, read }: Kept,
  from: number,
  end: number,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<Reply> {
  // Read first: what cannot be read is an error with a name, not a broken body.
  let piece = read(from, Math.min(PIECE, end - from))
  response.writeHead(200, {
    'content-type': mediaType,
    'content-length': end - from,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'tenon-total-bytes': bytes,
  })
  for (let at = from; at < end && !signal.aborted; ) {
    const isFree = response.write(piece)
    at += piece.byteLength
    if (!isFree && !response.destroyed) await once(response, 'drain', { signal }).catch(() => undefined)
    if (at < end) piece = read(at, Math.min(PIECE, end - at))
  }
  response.end()
  return 'sent'
}
