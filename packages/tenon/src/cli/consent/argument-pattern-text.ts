import type { ArgumentPattern, Json, JsonObject } from '@tenon/kernel'
import { HostError } from '../../errors.js'

/**
 * Reads `path=reports/*, mode=fast` into a pattern. A name is a JSON pointer or the name of an argument; a value is
 * JSON where the argument that it is compared with is no text.
 * @throws HostError `pattern-invalid`
 */
export function readArgumentPattern(written: string, args: JsonObject): ArgumentPattern {
  const pattern: Record<string, Json> = {}
  for (const part of written.split(/,(?=\s*[\w/~-]+\s*=)/)) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals < 1 || name === '')
      throw new HostError('pattern-invalid', `"${part.trim()}" is no pattern. Write it like path=reports/*.`)
    const pointer = name.startsWith('/') ? name : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const value = part.slice(equals + 1).trim()
    const now = valueAt(args, pointer)
    if (now === undefined)
      throw new HostError(
        'pattern-invalid',
        `This call has no argument ${name}. It has: ${Object.keys(args).join(', ')}.`,
      )
    pattern[pointer] = typeof now === 'string' ? value : readJson(value, name)
  }
  return pattern
}

function valueAt(args: JsonObject, pointer: string): Json | undefined {
  let value: Json | undefined = args
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

function readJson(value: string, name: string): Json {
  try {
    return JSON.parse(value) as Json
  } catch {
    throw new HostError('pattern-invalid', `The argument ${name} is no text; write its value as JSON.`)
  }
}
