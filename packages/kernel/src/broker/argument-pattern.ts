import type { Json, JsonObject } from '../content/json.js'
import { canonicalJson, isJsonObject } from '../content/json.js'

/**
 * JSON pointer to a text (exact, or with `*` as a wildcard) or another value (exact). `{ $command: "git *" }` is a
 * wildcard for command lines that a shell reads as one command. All must match.
 */
export type ArgumentPattern = { readonly [pointer: string]: Json }

/** True when every pointer of the pattern leads to a value that fits. A pointer that leads nowhere does not fit. */
export function matchesArguments(pattern: ArgumentPattern, args: JsonObject): boolean {
  return Object.entries(pattern).every(([pointer, wanted]) => {
    const value = at(args, pointer)
    if (value === undefined) return false
    if (typeof wanted === 'string' && typeof value === 'string') return matchesText(wanted, value)
    if (isJsonObject(wanted) && typeof wanted.$command === 'string')
      return typeof value === 'string' && !MORE_THAN_A_COMMAND.test(value) && matchesText(wanted.$command, value)
    return canonicalJson(wanted) === canonicalJson(value)
  })
}

/** Signs by which a shell makes a second command, a file or another text out of a line. */
const MORE_THAN_A_COMMAND = /[;&|`$<>()\\\n\r]/

/** `*` stands for any run of characters, everything else for itself. Linear in the text for each star. */
export function matchesText(pattern: string, value: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return pattern === value
  if (!value.startsWith(head)) return false
  let from = head.length
  for (const piece of rest) {
    const found = value.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return value.length - tail.length >= from && value.endsWith(tail)
}

/** JSON pointer, RFC 6901; a name without a slash in front is taken as a top-level member. */
function at(args: JsonObject, pointer: string): Json | undefined {
  const path = pointer.startsWith('/') ? pointer.slice(1).split('/').map(unescaped) : [pointer]
  let value: Json | undefined = args
  for (const name of path) {
    if (Array.isArray(value)) value = value[Number(name)] as Json | undefined
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
