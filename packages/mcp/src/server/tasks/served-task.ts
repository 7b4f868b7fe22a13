import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { TASKS_EXTENSION } from '../../era/modern/meta-keys.js'
import { rpcError } from '../../errors.js'
import { RPC } from '../rpc-reply.js'

/** The life of a task (SEP-2663). The last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A task as `tasks/get` shows it. */
export type ServedTask = {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** How long it can be asked for after its creation; null is for ever. */
  readonly ttlMs: number | null
  readonly pollIntervalMs: number
  readonly inputRequests?: JsonObject
  readonly result?: JsonObject
  readonly error?: JsonObject
}

/** The answer to the call that became a task. */
export const createdTask = ({ result, error, inputRequests, ...task }: ServedTask): JsonObject =>
  ({ resultType: 'task', ...task }) as JsonObject

export function declaresTasks(capabilities: JsonObject): boolean {
  const { extensions } = capabilities
  return isJsonObject(extensions) && TASKS_EXTENSION in extensions
}

/** @throws McpError `mcp-rpc-error` -32021 */
export function requireTasks(capabilities: JsonObject): void {
  if (declaresTasks(capabilities)) return
  throw rpcError(RPC.missingCapability, 'This needs a client that declares the tasks extension.', {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  })
}

export const noTask = (taskId: string): Error => rpcError(RPC.invalidParams, `There is no task ${taskId}.`)
