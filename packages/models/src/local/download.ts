import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isJsonObject } from '@tenon/kernel'
import type { Response } from 'undici'
import { ModelsError } from '../errors.js'
import { writeWithDigest } from './digesting-writer.js'
import { byteSize, type SetupOptions } from './progress.js'

export type Downloaded = {
  readonly bytes: number
  readonly sha256: string
  /** The digest that the other side declares for the file, as hubs with large-file storage do. */
  readonly declaredSha256?: string
}

const STALL_MS = 60_000
const ATTEMPTS = 5

/**
 * Fetches a file. What an interrupted try left at `path` is continued where the server lets it and still has the same
 * file, also after a restart of this process.
 *
 * @throws ModelsError `download-failed` (what was fetched stays, for the next try), `disk-full`.
 */
export async function download(url: string, path: string, options: SetupOptions = {}): Promise<Downloaded> {
  await mkdir(dirname(path), { recursive: true })
  for (let attempt = 1; ; attempt++) {
    try {
      return await downloadOnce(url, path, options)
    } catch (cause) {
      options.signal?.throwIfAborted()
      if (cause instanceof ModelsError && !cause.traits.retryable) throw cause
      if (attempt === ATTEMPTS) throw cause instanceof ModelsError ? cause : failed(url, 'the connection broke', cause)
    }
  }
}

async function downloadOnce(url: string, path: string, options: SetupOptions): Promise<Downloaded> {
  const marks = `${path}.json`
  const kept = await keptPart(path, marks, url)
  const stall = new AbortController()
  const signal = options.signal === undefined ? stall.signal : AbortSignal.any([options.signal, stall.signal])
  const restart = (): NodeJS.Timeout => setTimeout(() => stall.abort(new Error('no progress')), STALL_MS)
  let timer = restart()
  try {
    const { response, declaredSha256 } = await ask(url, signal, {
      // Compressed bytes would have another size and digest than the file.
      'accept-encoding': 'identity',
      ...(kept === undefined ? {} : { range: `bytes=${kept.bytes}-`, 'if-range': kept.etag }),
    })
    if (response.status === 416) {
      await rm(path, { force: true })
      throw failed(url, 'the part that was fetched before does not fit any more; it is fetched anew')
    }
    if (!response.ok || response.body === null) throw refused(url, response.status)
    const after = response.status === 206 && kept !== undefined ? kept.bytes : 0
    const total = totalOf(response, after)
    const etag = response.headers.get('etag') ?? ''
    await writeFile(marks, JSON.stringify({ url, etag }))
    if (total !== undefined) await requireRoom(dirname(path), total - after)
    const size = total === undefined ? 'a file of unknown size' : byteSize(total)
    const resumed = after > 0 ? `, ${byteSize(after)} of it are here already` : ''
    options.onProgress?.({
      step: 'size',
      message: `${size}${resumed}`,
      done: after,
      ...(total === undefined ? {} : { total }),
    })
    const written = await writeWithDigest(response.body, path, {
      after,
      signal,
      onBytes: (done) => {
        clearTimeout(timer)
        timer = restart()
        options.onProgress?.({
          step: 'download',
          message: 'downloading',
          done,
          ...(total === undefined ? {} : { total }),
        })
      },
    })
    if (total !== undefined && written.bytes !== total) throw failed(url, 'the connection ended too early')
    await rm(marks, { force: true })
    return { ...written, ...(declaredSha256 === undefined ? {} : { declaredSha256 }) }
  } finally {
    clearTimeout(timer)
  }
}

/** What an earlier try left, if it can be told that it is the same file: that needs a strong validator (RFC 9110, 13.1.5). */
async function keptPart(
  path: string,
  marks: string,
  url: string,
): Promise<{ readonly bytes: number; readonly etag: string } | undefined> {
  try {
    const { size } = await stat(path)
    const left: unknown = JSON.parse(await readFile(marks, 'utf8'))
    if (size === 0 || !isJsonObject(left) || left.url !== url || typeof left.etag !== 'string') return undefined
    return left.etag === '' || left.etag.startsWith('W/') ? undefined : { bytes: size, etag: left.etag }
  } catch {
    return undefined
  }
}

function totalOf(response: Response, after: number): number | undefined {
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  return Number.isFinite(length) ? after + length : undefined
}

const REDIRECTS = 5

/** Hubs declare a large file's digest on their own answer, before they send the client on to where the bytes are. */
async function ask(
  url: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<{ readonly response: Response; readonly declaredSha256?: string }> {
  // Undici's own, because Node's global one knows no proxies before version 24.
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  const dispatcher = new EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0 })
  let here = url
  let declared: string | undefined
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    const response = await fetch(here, { signal, headers, redirect: 'manual', dispatcher })
    declared ??= /^"?([0-9a-f]{64})"?$/.exec(response.headers.get('x-linked-etag') ?? '')?.[1]
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null)
      return declared === undefined ? { response } : { response, declaredSha256: declared }
    await response.body?.cancel()
    const next = new URL(location, here)
    if (next.protocol !== 'https:' && new URL(here).protocol === 'https:')
      throw new ModelsError(
        'download-refused',
        `${shown(url)} leads from https to ${next.protocol}//: it is not followed.`,
      )
    here = next.href
  }
  throw new ModelsError('download-refused', `${shown(url)} leads in circles: more than ${REDIRECTS} redirects.`)
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < bytes)
    throw new ModelsError(
      'disk-full',
      `${byteSize(bytes)} are needed and ${byteSize(free)} are free. Make room and try again.`,
    )
}

function refused(url: string, status: number): ModelsError {
  const why = status === 404 ? 'there is no such file (404)' : `the server answered ${status}`
  if (status >= 500 || status === 429) return failed(url, why)
  return new ModelsError('download-refused', `${shown(url)} cannot be fetched: ${why}. Check the address.`)
}

function failed(url: string, why: string, cause?: unknown): ModelsError {
  const message = `The download from ${shown(url)} stopped: ${why}. Try again: it goes on where it was.`
  return new ModelsError('download-failed', message, cause === undefined ? {} : { cause })
}

/** Host and path only: a query may hold a signature. */
function shown(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}
