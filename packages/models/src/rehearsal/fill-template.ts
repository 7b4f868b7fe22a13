import type { Json } from '@tenon/kernel'

const SLOT = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g
const WHOLE = /^\{\{\s*([A-Za-z_][\w-]*)\s*\}\}$/

/** Names of the `{{slots}}` in a value, in order of appearance. */
export function slotsOf(value: Json): string[] {
  if (typeof value === 'string') return [...value.matchAll(SLOT)].map((match) => match[1] as string)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value as Readonly<Record<string, Json>>).flatMap(slotsOf)
}

/** Puts values into `{{slots}}`. A string that is one slot takes the value with its type; inside text it becomes text. */
export function fillTemplate(value: Json, values: ReadonlyMap<string, Json>): Json {
  if (typeof value === 'string') {
    const whole = WHOLE.exec(value)
    if (whole !== null) return values.get(whole[1] as string) ?? null
    return fillText(value, values)
  }
  if (Array.isArray(value)) return value.map((item: Json) => fillTemplate(item, values))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTemplate(item as Json, values)]))
  return value
}

export function fillText(text: string, values: ReadonlyMap<string, Json>): string {
  return text.replaceAll(SLOT, (_, name: string) => {
    const value = values.get(name) ?? null
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}
