import type { SplitLine } from './line-splitter.js'
import type { SecretMask } from './secret-mask.js'
import type { TapEntry, TapSide } from './tap-entry.js'

/** Messages up to this length are kept whole. Bytes. */
export const KEPT_BYTES = 1 << 20

/** How much of a longer one is kept. Characters. */
const HEAD_LENGTH = 4096

const OPEN_REQUESTS_MAX = 10_000

export type TapRecorderOptions = {
  readonly mask: SecretMask
  readonly onEntry: (entry: TapEntry) => void
  /** Only messages of these methods, and their responses. `*` stands for any characters. Empty: all. */
  readonly methods?: readonly string[]
  readonly now?: () => number
}

type Open = { readonly method: string; readonly at: number; readonly name: string | undefined }

/** Reads along: turns what passed into entries, matches responses with requests, masks and filters. Never throws. */
export class TapRecorder {
  readonly #mask: SecretMask
  readonly #onEntry: (entry: TapEntry) => void
  readonly #wanted: RegExp | undefined
  readonly #now: () => number
  readonly #open: Record<TapSide, Map<string, Open>> = { client: new Map(), server: new Map() }

  constructor({ mask, onEntry, methods = [], now = Date.now }: TapRecorderOptions) {
    this.#mask = mask
    this.#onEntry = onEntry
    this.#now = now
    if (methods.length > 0) this.#wanted = new RegExp(`^(?:${methods.map(globSource).join('|')})$`)
  }

  /** A line of stdio, or the body or event of an exchange. `scope` keeps apart ids of different sessions. */
  line(from: TapSide, line: SplitLine, exchange?: number, scope = ''): void {
    if (line.bytes === 0) return
    const place = exchange === undefined ? {} : { exchange }
    const text = line.head.toString('utf8').replace(/^\uFEFF/, '')
    if (line.digest !== undefined) {
      this.#large(from, text, line, place, scope)
      return
    }
    if (text.trim() === '') return
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      this.#emit({ at: this.#now(), from, kind: 'text', ...place, bytes: line.bytes, text: this.#mask.text(text) })
      return
    }
    const message = this.#mask.json(text.trim())
    if (Array.isArray(parsed)) {
      for (const one of parsed.slice(0, 100))
        this.#message(from, one, this.#mask.json(JSON.stringify(one) ?? 'null'), line.bytes, place, scope)
    } else this.#message(from, parsed, message, line.bytes, place, scope)
  }

  stderr(line: SplitLine): void {
    const text = this.#mask.text(line.head.toString('utf8').slice(0, HEAD_LENGTH))
    this.#emit({ at: this.#now(), from: 'server', kind: 'stderr', bytes: line.bytes, text })
  }

  http(from: TapSide, exchange: number, text: string, status?: number): void {
    const masked = this.#mask.text(text)
    this.#emit({
      at: this.#now(),
      from,
      kind: 'http',
      exchange,
      text: masked,
      ...(status === undefined ? {} : { status }),
    })
  }

  exit(code: number | null, signal: string | null): void {
    this.#emit({ at: this.#now(), from: 'server', kind: 'exit', code, ...(signal === null ? {} : { signal }) })
  }

  #large(from: TapSide, text: string, line: SplitLine, place: { exchange?: number }, scope: string): void {
    // The parts that tell what it is stand at the beginning of every message that is large in practice.
    const head = text.slice(0, HEAD_LENGTH)
    const method = /"method"\s*:\s*"([^"\\]{1,200})"/.exec(head)?.[1]
    const written = /"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,20})/.exec(head)?.[1]
    const id = written === undefined ? undefined : (JSON.parse(written) as string | number)
    const message = { ...(method === undefined ? { result: null } : { method }), ...(id === undefined ? {} : { id }) }
    const about = this.#describe(from, message, scope)
    this.#emit({
      ...(method === undefined && id === undefined ? { at: this.#now(), from, kind: 'text' as const } : about),
      ...place,
      bytes: line.bytes,
      text: this.#mask.text(head),
      ...(line.digest === undefined ? {} : { digest: line.digest }),
    })
  }

  #message(
    from: TapSide,
    parsed: unknown,
    message: string,
    bytes: number,
    place: { exchange?: number },
    scope: string,
  ): void {
    this.#emit({ ...this.#describe(from, parsed, scope), ...place, bytes, message })
  }

  #describe(from: TapSide, parsed: unknown, scope: string): TapEntry {
    const at = this.#now()
    if (!isObject(parsed)) return { at, from, kind: 'invalid' }
    const { method, id } = parsed
    const idKey = typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined
    if (typeof method === 'string') {
      if (idKey === undefined) return { at, from, kind: 'notification', method, ...nameOf(parsed) }
      const open = this.#open[from]
      if (open.size < OPEN_REQUESTS_MAX)
        open.set(scope + JSON.stringify(idKey), { method, at, name: nameOf(parsed).name })
      return { at, from, kind: 'request', method, id: idKey, ...nameOf(parsed) }
    }
    if (!('result' in parsed) && !('error' in parsed)) return { at, from, kind: 'invalid' }
    const key = scope + JSON.stringify(idKey)
    const asked = this.#open[other(from)].get(key)
    this.#open[other(from)].delete(key)
    const failed = 'error' in parsed || (isObject(parsed.result) && parsed.result.isError === true)
    return {
      at,
      from,
      kind: 'response',
      ...(asked === undefined ? {} : { method: asked.method, ms: at - asked.at }),
      ...(asked?.name === undefined ? {} : { name: asked.name }),
      ...(idKey === undefined ? {} : { id: idKey }),
      ...(failed ? { failed } : {}),
    }
  }

  #emit(entry: TapEntry): void {
    if (this.#wanted !== undefined && (entry.method === undefined || !this.#wanted.test(entry.method))) return
    this.#onEntry(entry)
  }
}

const other = (side: TapSide): TapSide => (side === 'client' ? 'server' : 'client')

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function nameOf(message: Record<string, unknown>): { readonly name?: string } {
  const params = isObject(message.params) ? message.params : {}
  const name = [params.name, params.uri, params.taskId].find((one) => typeof one === 'string')
  return typeof name === 'string' ? { name } : {}
}

const globSource = (glob: string): string =>
  glob
    .split('*')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*')
