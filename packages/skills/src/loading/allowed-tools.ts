/** The rules of `allowed-tools`; `odd` when they did not come as one text with spaces. */
export function readAllowedTools(value: unknown): { readonly rules: readonly string[]; readonly odd: boolean } {
  if (value === null || value === undefined) return { rules: [], odd: false }
  if (Array.isArray(value)) {
    const rules = value
      .filter((item) => typeof item === 'string' || typeof item === 'number')
      .map((item) => String(item).trim())
    return { rules: rules.filter((rule) => rule !== ''), odd: true }
  }
  if (typeof value !== 'string') return { rules: [], odd: true }
  return split(value)
}

/** Splits at blanks and commas, but never inside parentheses: a rule such as `Bash(git log *)` is one. */
function split(text: string): { readonly rules: readonly string[]; readonly odd: boolean } {
  const rules: string[] = []
  let rule = ''
  let depth = 0
  let odd = false
  for (const sign of text) {
    if (sign === '(') depth++
    if (sign === ')') depth = Math.max(0, depth - 1)
    const comma = sign === ','
    if (depth === 0 && (comma || /\s/.test(sign))) {
      odd ||= comma
      if (rule !== '') rules.push(rule)
      rule = ''
    } else rule += sign
  }
  if (rule !== '') rules.push(rule)
  return { rules, odd }
}
