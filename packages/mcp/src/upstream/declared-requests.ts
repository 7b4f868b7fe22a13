import type { JsonObject } from '@tenon/kernel'

const NEEDS: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** True for what a server may ask of a client with these capabilities. */
export function isDeclared(capabilities: JsonObject | undefined, method: string, params?: JsonObject): boolean {
  const need = NEEDS[method]
  const declared = need === undefined ? undefined : capabilities?.[need]
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return false
  if (method !== 'elicitation/create' || params === undefined) return true
  const modes = declared as JsonObject
  // A client that names no mode means forms.
  return params.mode === 'url' ? modes.url !== undefined : modes.form !== undefined || modes.url === undefined
}
