import type { Json, JsonObject } from '@tenon/kernel'
import type { PeerEvent, PeerTask } from '../peer-task.js'
import type { SendWish } from './dialect.js'

/** The operations of one interface of a peer, whatever version and binding it has. Nothing is repeated here. All throw PeerError. */
export interface PeerWire {
  /** Sends a message: a stream of what comes of it, or the one answer to it. */
  send(wish: Omit<SendWish, 'tenant'>, streaming: boolean, signal: AbortSignal): AsyncGenerator<PeerEvent>
  /** The task as it stands, then what comes. @throws PeerError with the reason UNSUPPORTED_OPERATION when it has ended */
  subscribe(taskId: string, signal: AbortSignal): AsyncGenerator<PeerEvent>
  get(taskId: string, signal: AbortSignal): Promise<PeerTask>
  cancel(taskId: string, signal: AbortSignal): Promise<PeerTask>
  /** The peer's own list of tasks, as it answers. */
  list(params: JsonObject, signal: AbortSignal): Promise<Json>
}
