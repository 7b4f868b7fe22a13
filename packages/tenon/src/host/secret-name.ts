const SECRET = /key|token|secret|passw|auth|credential|cookie|session|private|dsn/i

/**
 * True for the name of a variable or header that holds a secret. What stands under other names (`NODE_ENV`, `LANG`) is
 * not taken out of what a model reads: it would take ordinary words with it.
 */
const isSecretName = (name: string): boolean => SECRET.test(name)

/** Those entries whose names say that they are secret. */
export function secretEntries<T>(entries: Readonly<Record<string, T>> | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(entries ?? {}).filter(([name]) => isSecretName(name)))
}
