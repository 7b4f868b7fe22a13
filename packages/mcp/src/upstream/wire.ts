import type { McpError } from '../errors.js'
import type { Diagnose } from './diagnostic.js'
import type { JsonRpcId, JsonRpcMessage, Received } from './json-rpc.js'

/** What a wire tells. Calls come in the order of the bytes; none after `down`. */
export type WireEvents = {
  /** `during` is our request on whose response stream the message came, where the transport says so. */
  received(message: Received, during: JsonRpcId | undefined): void
  /** No answer to this request can come any more. */
  lost(id: JsonRpcId, error: McpError): void
  /** Nothing more will come. Requests without an answer are lost. */
  down(error: McpError): void
  /** A stream for pushes was down for a while: what was said in between is lost. */
  missed(): void
  readonly diagnose: Diagnose
}

export type SendOptions = {
  /** HTTP only. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Carries messages to a server and back; knows nothing of what they mean. Made over a `WireEvents`. */
export interface Wire {
  readonly transport: 'stdio' | 'streamable' | 'sse'
  /** A message that cannot be sent is told by `lost` or `down`. */
  send(message: JsonRpcMessage, options?: SendOptions): void
  /** The answer is not wanted any more: closes the response stream, where there is one. */
  forget(id: JsonRpcId): void
  /** Opens the stream for what the server says on its own, where the transport has a separate one. */
  listen(headers: Readonly<Record<string, string>>): void
  /** The last of what the server logged, for a person. */
  readonly log: string
  close(): Promise<void>
}

export type MakeWire = (events: WireEvents) => Wire
