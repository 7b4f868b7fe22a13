import { createHash } from 'node:crypto'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { paramHeaders } from '../era/modern/param-headers.js'
import { schemaFault } from './schema-shape.js'
import { shownName } from './shown-name.js'

/** What a server says that a tool does. Only believed of a server that the configuration trusts. */
type ToolHints = {
  readonly readOnly: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

/** A tool as one server lists it. Everything in it is the server's word. */
export type ToolEntry = {
  readonly server: string
  /** On the wire. */
  readonly name: string
  /** To a model. */
  readonly shownName: string
  readonly title?: string
  readonly description: string
  readonly input: JsonObject
  readonly output?: JsonObject
  readonly hints: ToolHints
  /** Of all that decides what the tool is and does. */
  readonly digest: string
}

export type ToolReading =
  | { readonly ok: true; readonly entry: ToolEntry; readonly outputFault?: string }
  | { readonly ok: false; readonly name: string; readonly reason: string }

const MAX_NAME = 1_024
const MAX_DESCRIPTION = 16_384

/** Reads one definition by itself, so that a broken one spoils no other. */
export function readTool(server: string, value: Json, modern: boolean): ToolReading {
  if (!isJsonObject(value)) return skip('?', 'it is no object')
  const { name, title, description, inputSchema: input, outputSchema: output, annotations } = value
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return skip('?', 'it has no name')
  if (!isJsonObject(input)) return skip(name, 'its inputSchema is no object')
  if (input.type !== 'object') return skip(name, 'its inputSchema is not of the type object')
  const fault = schemaFault(input)
  if (fault !== undefined) return skip(name, `its inputSchema cannot be used: ${fault}`)
  if (modern) {
    const marks = paramHeaders(input)
    if (!marks.ok) return skip(name, marks.reason)
  }
  const outputFault = output === undefined ? undefined : isJsonObject(output) ? schemaFault(output) : 'it is no object'
  const entry: ToolEntry = {
    server,
    name,
    shownName: shownName(server, name),
    description: typeof description === 'string' ? description.slice(0, MAX_DESCRIPTION) : '',
    input,
    ...(typeof title === 'string' ? { title } : {}),
    ...(isJsonObject(output) && outputFault === undefined ? { output } : {}),
    hints: hintsOf(annotations),
    digest: digestOf(value),
  }
  return outputFault === undefined ? { ok: true, entry } : { ok: true, entry, outputFault }
}

const skip = (name: string, reason: string): ToolReading => ({ ok: false, name, reason })

/** Absent hints mean the worst (2025-11-25, ToolAnnotations). */
function hintsOf(value: Json | undefined): ToolHints {
  const hints = isJsonObject(value) ? value : {}
  return {
    readOnly: hints.readOnlyHint === true,
    idempotent: hints.idempotentHint === true,
    openWorld: hints.openWorldHint !== false,
  }
}

function digestOf({ name, title, description, inputSchema, outputSchema, annotations }: JsonObject): string {
  const kept: JsonObject = {
    name: name ?? null,
    title: title ?? null,
    description: description ?? null,
    inputSchema: inputSchema ?? null,
    outputSchema: outputSchema ?? null,
    annotations: annotations ?? null,
  }
  return createHash('sha256').update(canonicalJson(kept)).digest('hex')
}
