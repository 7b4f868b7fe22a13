/** The environment that configuration may refer to. */
export type Environment = Readonly<Record<string, string | undefined>>

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{[^}]*\}?/g

export type Interpolated =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: readonly string[]; readonly malformed: readonly string[] }

/**
 * Replaces `${NAME}` and `${NAME:-default}`; `$${` stands for a literal `${`. As in a shell, the default is taken where
 * the variable is unset or empty; without a default such a variable counts as missing.
 */
export function interpolate(source: string, environment: Environment): Interpolated {
  const missing: string[] = []
  const malformed: string[] = []
  const text = source.replace(REFERENCE, (whole: string, name?: string, otherwise?: string) => {
    if (whole === '$${') return '${'
    if (name === undefined) {
      malformed.push(whole)
      return whole
    }
    const value = environment[name]
    if (value !== undefined && value !== '') return value
    if (otherwise === undefined) missing.push(name)
    return otherwise ?? ''
  })
  return missing.length + malformed.length === 0 ? { ok: true, text } : { ok: false, missing, malformed }
}

/** The variables that a text refers to, each once. */
export function variablesIn(source: string): readonly string[] {
  const names = new Set<string>()
  for (const match of source.matchAll(REFERENCE)) if (match[1] !== undefined) names.add(match[1])
  return [...names]
}
