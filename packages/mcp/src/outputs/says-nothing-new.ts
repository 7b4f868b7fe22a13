import type { Json } from '@tenon/kernel'

/** True when every value of `structure` stands in `text` already: showing it would be paying twice. */
export function saysNothingNew(structure: Json, text: string): boolean {
  if (structure === null || typeof structure === 'boolean') return true
  if (typeof structure === 'string' || typeof structure === 'number') return text.includes(String(structure))
  const values = Array.isArray(structure) ? structure : Object.values(structure)
  return values.length > 0 && values.every((value) => saysNothingNew(value, text))
}
