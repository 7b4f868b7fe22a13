import { inspect } from 'node:util'

/**
 * A value that must not be seen. Printing, serialising or inspecting it shows where it comes from, never what it is.
 * `reveal` looks it up at the last moment. @throws HostError `config-secret-missing`
 */
export type Secret = {
  readonly kind: 'secret'
  /** Environment variables that it is made from; empty where it is written in the file itself. */
  readonly variables: readonly string[]
  reveal(): string
  toString(): string
  toJSON(): string
}

export function makeSecret(variables: readonly string[], reveal: () => string): Secret {
  const shown = variables.length === 0 ? '[hidden]' : `[from ${variables.join(', ')}]`
  const show = (): string => shown
  const value = { kind: 'secret' as const, variables, reveal, toString: show, toJSON: show }
  Object.defineProperty(value, inspect.custom, { value: show })
  return Object.freeze(value)
}
