import type { Json } from '@tenon/kernel'

/** What stands at a JSON pointer (RFC 6901), `undefined` where nothing does. The empty pointer is the whole value. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value
  let here: Json | undefined = value
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Readonly<Record<string, Json>>)[key]
  }
  return here
}
