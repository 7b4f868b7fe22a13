import { createHash } from 'node:crypto'

/** What a provider allows in a tool's name. */
export type NameRule = {
  /** A character that may not stand in a name; global. */
  readonly forbidden: RegExp
  readonly maxLength: number
}

/** `^[a-zA-Z0-9_-]{1,64}$`: what every provider that we know of takes. */
export const COMMON_NAME_RULE: NameRule = Object.freeze({ forbidden: /[^a-zA-Z0-9_-]/gu, maxLength: 64 })

export type WireNames = {
  /** The name to send. Names outside the list get one too, so that old calls in a history can be written. */
  toWire(name: string): string
  /** The host's name for a name that a provider sent; undefined if no name of the list is written so. */
  fromWire(wire: string): string | undefined
}

/** Every character that the rule forbids as an underscore: what providers and proxies make of a name by themselves. */
export function underscored(name: string, rule: NameRule = COMMON_NAME_RULE): string {
  return name.replace(rule.forbidden, '_')
}

/**
 * Names that a provider accepts, one for each of `names`, no two alike. A name that is fine stays as it is; one with
 * forbidden characters gets underscores where that tells it apart, and otherwise a digest of the full name at its end.
 * The result depends on the set of names alone, not on their order.
 */
export function wireNames(names: readonly string[], rule: NameRule = COMMON_NAME_RULE): WireNames {
  const wireOf = new Map<string, string>()
  const nameOf = new Map<string, string>()
  const take = (name: string, wire: string) => {
    wireOf.set(name, wire)
    nameOf.set(wire, name)
  }
  const others: string[] = []
  for (const name of new Set(names)) {
    if (isAllowed(name, rule)) take(name, name)
    else others.push(name)
  }
  const wishes = new Map<string, number>()
  for (const name of others) {
    const wish = underscored(name, rule)
    wishes.set(wish, (wishes.get(wish) ?? 0) + 1)
  }
  for (const name of others.sort()) {
    const wish = underscored(name, rule)
    const free = isAllowed(wish, rule) && /[a-zA-Z0-9]/.test(wish) && wishes.get(wish) === 1 && !nameOf.has(wish)
    let wire = free ? wish : withDigest(name, wish, rule, 8)
    for (let length = 12; nameOf.has(wire); length += 4) wire = withDigest(name, wish, rule, length)
    take(name, wire)
  }
  return {
    toWire: (name) =>
      wireOf.get(name) ??
      (isAllowed(name, rule) && !nameOf.has(name) ? name : withDigest(name, underscored(name, rule), rule, 8)),
    fromWire: (wire) => nameOf.get(wire),
  }
}

function isAllowed(name: string, rule: NameRule): boolean {
  return name.length > 0 && name.length <= rule.maxLength && underscored(name, rule) === name
}

function withDigest(name: string, wish: string, rule: NameRule, length: number): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, length)
  const head = /[a-zA-Z0-9]/.test(wish) ? wish : 'tool'
  return `${head.slice(0, rule.maxLength - length - 1)}_${digest}`
}
