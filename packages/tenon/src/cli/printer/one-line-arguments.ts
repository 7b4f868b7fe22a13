import type { Json, JsonObject } from '@tenon/kernel'
import { fit } from './columns.js'
import { safeText } from './safe-text.js'
import { spokenCount } from './words.js'

/** The arguments of a call in one line of at most `width` columns: `path="docs/a.md" lines=[2 items]`. */
export function oneLineArguments(args: JsonObject, width: number): string {
  const names = Object.keys(args)
  const each = Math.max(16, Math.floor(width / Math.max(1, names.length)))
  const parts: string[] = []
  let left = width
  for (const name of names) {
    if (left < 8) {
      parts.push('…')
      break
    }
    const part = fit(`${safeText(name)}=${shown(args[name] ?? null, names.length === 1 ? width : each)}`, left)
    left -= part.length + 1
    parts.push(part)
  }
  return parts.join(' ')
}

function shown(value: Json, width: number): string {
  if (typeof value === 'string') {
    const quoted = safeText(JSON.stringify(value.slice(0, 400)))
    if (value.length <= 400 && quoted.length <= width) return quoted
    return `${fit(quoted.slice(0, -1), Math.max(8, width - 14))}" (${spokenCount(value.length)} chars)`
  }
  if (Array.isArray(value)) {
    const whole = value.length < 20 ? safeText(JSON.stringify(value)) : ''
    return whole !== '' && whole.length <= width ? whole : `[${value.length} items]`
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    const whole = keys.length < 10 ? safeText(JSON.stringify(value)) : ''
    return whole !== '' && whole.length <= width ? whole : `{${keys.length} keys}`
  }
  return String(value)
}
