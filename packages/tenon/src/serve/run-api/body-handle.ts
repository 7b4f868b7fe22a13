import { isJsonObject, type Json, type RunId } from '@tenon/kernel'

/** Handles of bodies begin so, those of artifacts with the name of their digest. */
const PREFIX = 'body.'

/** Names a value within an event of a run (`of` is its seq) or within the view of a turn (its id). */
export const bodyHandle = (runId: RunId, of: number | string, pointer: string): string =>
  `${PREFIX}${Buffer.from(JSON.stringify([runId, of, pointer])).toString('base64url')}`

export type NamedBody = { readonly runId: RunId; readonly of: number | string; readonly pointer: string }

/** Undefined for what is no handle of a body. Whether there is such a value, and whose it is, it does not say. */
export function readBodyHandle(handle: string): NamedBody | undefined {
  if (!handle.startsWith(PREFIX)) return undefined
  try {
    const read = JSON.parse(Buffer.from(handle.slice(PREFIX.length), 'base64url').toString()) as unknown
    if (!Array.isArray(read) || read.length !== 3) return undefined
    const [runId, of, pointer] = read as readonly unknown[]
    const isPlace = typeof of === 'string' || Number.isSafeInteger(of)
    if (typeof runId !== 'string' || !isPlace || typeof pointer !== 'string') return undefined
    return { runId: runId as RunId, of: of as number | string, pointer }
  } catch {
    return undefined
  }
}

/** What stands at a JSON pointer (RFC 6901); undefined where nothing does. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(found)) found = (found as readonly Json[])[/^\d+$/.test(key) ? Number(key) : Number.NaN]
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
    if (found === undefined) return undefined
  }
  return found
}
