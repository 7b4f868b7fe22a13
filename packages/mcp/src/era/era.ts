import type { JsonObject } from '@tenon/kernel'
import type { McpError } from '../errors.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import type { JsonRpcRequest } from '../upstream/json-rpc.js'
import type { EraName } from '../upstream/upstream.js'

type Framed = { readonly message: JsonRpcRequest; readonly headers: Readonly<Record<string, string>> }

/** What differs between the protocol families once a connection stands. */
export interface Era {
  readonly name: EraName
  readonly version: string
  /** The request as this era wants it on the wire. */
  frame(message: JsonRpcRequest): Framed
  /** Headers of everything that is no request. */
  readonly headers: Readonly<Record<string, string>>
  /** Looks at a result before its request resolves. @returns what makes it unusable */
  check(method: string, result: JsonObject, diagnose: Diagnose): McpError | undefined
  /** Over Streamable HTTP a request is cancelled by closing its response stream, and by nothing else. */
  readonly cancelsByClosing: boolean
  /** The server may send requests of its own. */
  readonly serverAsks: boolean
}
