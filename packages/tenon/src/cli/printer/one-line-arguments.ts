import type { Json, JsonObject } from '@tenon/kernel'
import { columns, fit } from './columns.js'
import { safeText } from './safe-text.js'
import { spokenCount } from './words.js'

/** What is longer is not looked at in full to print a part of it. */
const LONGEST = 400

/**
 * The arguments of a call in one line of at most `width` columns: `path="docs/a.md" content="# Rep…" (2.1k chars)`.
 * Short ones stand whole; long ones share what is left.
 */
export function oneLineArguments(args: JsonObject, width: number): string {
  const all = Object.entries(args).map(([name, value]) => {
    const label = `${safeText(name).replaceAll('\n', '\\n')}=`
    return { label, value, length: columns(label) + columns(whole(value)) }
  })
  const budgets = new Map<(typeof all)[number], number>()
  let left = width - Math.max(0, all.length - 1)
  for (const [index, one] of [...all].sort((a, b) => a.length - b.length).entries()) {
    const budget = Math.min(one.length, Math.floor(left / (all.length - index)))
    budgets.set(one, budget)
    left -= budget
  }
  const parts = all.map((one) => one.label + shown(one.value, (budgets.get(one) ?? 0) - columns(one.label)))
  return fit(parts.join(' '), width)
}

/** A value in full, or at a length that no line has. */
function whole(value: Json): string {
  if (typeof value !== 'string') return count(value) > LONGEST ? ' '.repeat(LONGEST) : safeText(JSON.stringify(value))
  return value.length > LONGEST ? ' '.repeat(LONGEST) : safeText(JSON.stringify(value))
}

function shown(value: Json, width: number): string {
  const full = whole(value)
  if (columns(full) <= width && full.trim() !== '') return full
  if (typeof value !== 'string') return Array.isArray(value) ? `[${value.length} items]` : `{${count(value)} keys}`
  const size = ` (${spokenCount(value.length)} chars)`
  const room = width - size.length - 1
  const head = safeText(JSON.stringify(value.slice(0, LONGEST))).slice(0, -1)
  return room < 8 || value.length < 200 ? `${fit(head, Math.max(3, width - 1))}"` : `${fit(head, room)}"${size}`
}

const count = (value: Json): number =>
  Array.isArray(value) ? value.length : typeof value === 'object' && value !== null ? Object.keys(value).length : 1
