import { type InputNeed, isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { McpError } from '../errors.js'
import { isDeclared } from '../upstream/declared-requests.js'
import type { AskingDesk } from './asking-desk.js'

/** Whoever opened an address says so, and nothing else (2025-11-25, elicitation, URL mode). Forms are objects. */
const OPENED: JsonObject = { type: 'boolean' }

/** A wish of a server: answered at once, put before a person, or refused. */
export type Wish =
  | { readonly kind: 'automatic'; readonly answer: (signal: AbortSignal) => Promise<JsonObject> }
  | { readonly kind: 'person'; readonly need: Pick<InputNeed, 'kind' | 'prompt' | 'schema'> }

/**
 * What to do with one request for input. @throws McpError `mcp-input-refused` for a kind that was not declared, and
 * for a form that asks for a secret: those go through an address in a browser, never through us (2025-11-25,
 * elicitation, security).
 */
export function readWish(desk: Omit<AskingDesk, 'maxRounds'>, method: string, params: JsonObject): Wish {
  const { capabilities, automatic } = desk
  const server = desk.upstream.name
  if (!isDeclared(capabilities, method, params)) throw refused(desk, method)
  if (method === 'roots/list') {
    const roots = (automatic.roots ?? []).map((root) => ({ ...root }))
    return { kind: 'automatic', answer: async () => ({ roots }) }
  }
  if (method === 'sampling/createMessage') {
    const { sample } = automatic
    if (sample === undefined) throw refused(desk, method)
    return { kind: 'automatic', answer: (signal) => sample(params, signal) }
  }
  const message = typeof params.message === 'string' ? params.message.slice(0, 4_000) : 'It asks for input.'
  if (params.mode === 'url') {
    const { url } = params
    if (typeof url !== 'string' || !URL.canParse(url)) throw notToOpen(desk, 'no address')
    // Nothing that acts on the machine of whoever opens it.
    if (!/^https?:/.test(new URL(url).protocol)) throw notToOpen(desk, `an address of ${new URL(url).protocol}`)
    const prompt = `${server}: ${message}\nOpen ${url}\nYes when that is done, no to refuse.`
    return { kind: 'person', need: { kind: 'auth', prompt, schema: OPENED } }
  }
  const schema = isJsonObject(params.requestedSchema) ? params.requestedSchema : undefined
  const secret = schema === undefined ? undefined : secretField(schema)
  if (secret !== undefined) {
    desk.diagnose('request-refused', `a form with "${secret}"`)
    throw new McpError(
      'mcp-input-refused',
      `${server} asks for "${secret}" in a form. Secrets are not given to a server in a form.`,
    )
  }
  return {
    kind: 'person',
    need: { kind: 'question', prompt: `${server}: ${message}`, ...(schema === undefined ? {} : { schema }) },
  }
}

/** The answer of a person as the result of an elicitation. Content by itself means yes; null means that nobody answered. */
export function elicitResult(answer: Json, schema: JsonObject | undefined): JsonObject {
  if (answer === null) return { action: 'cancel' }
  if (isJsonObject(answer) && isVerdict(answer, schema)) {
    const { action, content } = answer
    if (action !== 'accept') return { action: String(action) }
    const bare = content === undefined && (schema === undefined || schema.type === OPENED.type)
    return bare ? { action } : { action, content: filledIn(content, schema) }
  }
  if (answer === false) return { action: 'decline' }
  if (schema === undefined || schema.type === OPENED.type) return { action: 'accept' }
  if (isJsonObject(answer)) return { action: 'accept', content: filledIn(answer, schema) }
  const names = isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  const [only] = names
  // A form with one field is answered by its value alone.
  if (names.length === 1 && only !== undefined)
    return { action: 'accept', content: filledIn({ [only]: answer }, schema) }
  return { action: 'accept' }
}

/** What a person left out stands as the form suggests it (2025-11-25, SEP-1034). */
function filledIn(content: Json | undefined, schema: JsonObject | undefined): JsonObject {
  const given = isJsonObject(content) ? content : {}
  const properties = isJsonObject(schema?.properties) ? schema.properties : {}
  const suggested = Object.entries(properties).flatMap(([name, field]) =>
    isJsonObject(field) && field.default !== undefined && !(name in given) ? [[name, field.default] as const] : [],
  )
  return { ...Object.fromEntries(suggested), ...given }
}

function isVerdict({ action, content, ...rest }: JsonObject, schema: JsonObject | undefined): boolean {
  const asked = isJsonObject(schema?.properties) && 'action' in schema.properties
  const known = action === 'accept' || action === 'decline' || action === 'cancel'
  return known && !asked && Object.keys(rest).length === 0 && (content === undefined || isJsonObject(content))
}

const SECRET =
  /passw(or)?d|passphrase|secret|api[-_ ]?key|access[-_ ]?token|private[-_ ]?key|\bpin\b|\bcvv\b|credit[-_ ]?card/i

function secretField({ properties }: JsonObject): string | undefined {
  if (!isJsonObject(properties)) return undefined
  for (const [name, field] of Object.entries(properties)) {
    const { title, description, format } = isJsonObject(field) ? field : {}
    if (
      format === 'password' ||
      [name, title, description].some((text) => typeof text === 'string' && SECRET.test(text))
    )
      return name
  }
  return undefined
}

function notToOpen({ upstream, diagnose }: Pick<AskingDesk, 'upstream' | 'diagnose'>, what: string): McpError {
  diagnose('request-refused', `to open ${what}`)
  return new McpError('mcp-input-refused', `${upstream.name} asks a person to open ${what.slice(0, 100)}; refused.`)
}

function refused({ upstream, diagnose }: Pick<AskingDesk, 'upstream' | 'diagnose'>, method: string): McpError {
  diagnose('request-refused', method.slice(0, 100))
  return new McpError('mcp-input-refused', `${upstream.name} asks for ${method}, which it was not offered.`)
}
