import type { ServerResponse } from 'node:http'
import type { Json, JsonObject } from '@tenon/kernel'
import type { Host } from '../../host/host.js'
import type { Caller } from '../gate.js'
import type { Scope } from '../scopes.js'
import type { RequestCards } from './request-card.js'
import type { SchemaName } from './schemas.js'

/** What the API works on. */
export type RunApiPorts = {
  readonly host: Host
  readonly cards: RequestCards
  /** The OpenAPI document. */
  readonly document: JsonObject
  /** How many event streams are open. */
  readonly streams: { open: number }
  /** Told of what went wrong and is nobody's answer. */
  readonly report: (error: unknown) => void
}

/** One request, after everything that its route says of it was checked. */
export type Ask<Params, Body> = {
  readonly ports: RunApiPorts
  readonly caller: Caller
  /** From path, query and headers, by name. */
  readonly params: Params
  readonly body: Body
  /** Aborted when the client has gone or the server stops. */
  readonly signal: AbortSignal
  /** For routes that write their answer piece by piece. */
  readonly response: ServerResponse
}

/** `sent`: the route wrote the answer by itself. */
export type Reply =
  | 'sent'
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }

type Param = { readonly in: 'path' | 'query' | 'header'; readonly schema: JsonObject; readonly about: string }

/** `type`: another media type than JSON. */
type Answer = { readonly about: string; readonly schema?: SchemaName; readonly type?: string }

/**
 * One route, as the server checks it and as the OpenAPI document tells of it. Parameters of the path are required, all
 * others are not. Errors are the same everywhere and are not listed, unless they carry more than an error.
 */
export type Route = {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `/runs/{run}`: each part in braces is a parameter. */
  readonly path: string
  /** One line. */
  readonly about: string
  /** Absent: for everybody. */
  readonly scope?: Scope
  readonly params?: Readonly<Record<string, Param>>
  readonly body?: SchemaName
  readonly answers: Readonly<Record<number, Answer>>
  answer(ask: Ask<JsonObject, Json>): Promise<Reply>
}

/** Types what the schemas of a route have checked: the one place where that is believed. */
export function route<Params = Record<never, never>, Body = undefined>(
  described: Omit<Route, 'answer'> & { answer(ask: Ask<Params, Body>): Promise<Reply> | Reply },
): Route {
  return { ...described, answer: async (ask) => described.answer(ask as unknown as Ask<Params, Body>) }
}
