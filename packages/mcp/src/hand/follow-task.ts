import {
  type CallContext,
  type HandEvent,
  type InputNeed,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@tenon/kernel'
import { isMcpError, McpError, rpcDetail } from '../errors.js'
import { elicitResult, readWish } from './input-request.js'
import type { ToolDesk } from './tool-desk.js'

const LEAST_POLL_MS = 50
const LONGEST_POLL_MS = 60_000
/** Looks in a row that may fail because the server is away. */
const MAX_FAILURES = 12

/**
 * Follows a task of the tasks extension to its end. It runs at the server and outlives our connection and our process;
 * only its id is needed to find it again. @returns the result of the call
 */
export async function* followTask(
  desk: ToolDesk,
  taskId: string,
  pollMs: number,
  context: CallContext,
): AsyncGenerator<HandEvent, JsonObject | undefined> {
  const { upstream } = desk
  await update(desk, taskId, context)
  let waitMs = pollMs
  let said: string | undefined
  let failures = 0
  for (;;) {
    if (!(await pause(bounded(waitMs), context.signal))) throw await cancelTask(desk, taskId)
    let task: JsonObject
    try {
      task = await upstream.request('tasks/get', { taskId }, { repeatable: true, signal: context.signal })
      failures = 0
    } catch (error) {
      if (context.signal.aborted) throw await cancelTask(desk, taskId)
      if (rpcDetail(error) !== undefined)
        throw new McpError('mcp-task-failed', `${upstream.name} does not know the task ${taskId} any more.`, {
          cause: error,
        })
      if (!isMcpError(error) || !error.traits.retryable || ++failures >= MAX_FAILURES) throw error
      waitMs = Math.min(waitMs * 2, 10_000)
      continue
    }
    if (typeof task.pollIntervalMs === 'number') waitMs = task.pollIntervalMs
    const message = typeof task.statusMessage === 'string' ? task.statusMessage : `task ${String(task.status)}`
    if (message !== said) yield { kind: 'progress', message }
    said = message
    switch (task.status) {
      case 'working':
        break
      case 'input_required':
        if (isJsonObject(task.inputRequests) && (yield* ask(desk, taskId, task.inputRequests, context)))
          return undefined
        break
      case 'completed':
        if (isJsonObject(task.result)) return task.result
        throw new McpError('mcp-protocol-error', `${upstream.name} completed the task ${taskId} without a result.`)
      case 'failed':
      case 'cancelled':
        throw new McpError('mcp-task-failed', `The task ${taskId} at ${upstream.name} ${ending(task)}`)
      default:
        throw new McpError('mcp-protocol-error', `The task ${taskId} is in an unknown state.`)
    }
  }
}

/** Puts the task's questions before a person. True when the hand has to leave and wait. */
async function* ask(
  desk: ToolDesk,
  taskId: string,
  requests: JsonObject,
  context: CallContext,
): AsyncGenerator<HandEvent, boolean> {
  const needs: InputNeed[] = []
  const responses: Record<string, Json> = {}
  for (const [key, request] of Object.entries(requests)) {
    if (!isJsonObject(request) || typeof request.method !== 'string') continue
    const params = isJsonObject(request.params) ? request.params : {}
    let wish: ReturnType<typeof readWish>
    try {
      wish = readWish(desk, request.method, params)
    } catch (error) {
      await cancelTask(desk, taskId)
      throw error
    }
    if (wish.kind === 'automatic') responses[key] = await wish.answer(context.signal)
    else if (!context.answers.some((given) => given.key === taskKey(key)))
      needs.push({ key: taskKey(key), ...wish.need, resume: { task: taskId, schema: wish.need.schema ?? null } })
  }
  if (Object.keys(responses).length > 0)
    await desk.upstream.request('tasks/update', { taskId, inputResponses: responses })
  if (needs.length === 0) return false
  yield { kind: 'needs-input', needs }
  return true
}

const taskKey = (key: string): string => `task:${key}`

/** Hands to the task what a person has answered since. */
async function update(desk: ToolDesk, taskId: string, { answers }: CallContext): Promise<void> {
  const responses: Record<string, Json> = {}
  for (const { key, resume, answer } of answers) {
    if (!key.startsWith('task:') || !isJsonObject(resume)) continue
    responses[key.slice('task:'.length)] = elicitResult(answer, isJsonObject(resume.schema) ? resume.schema : undefined)
  }
  if (Object.keys(responses).length > 0)
    await desk.upstream.request('tasks/update', { taskId, inputResponses: responses })
}

async function cancelTask({ upstream }: ToolDesk, taskId: string): Promise<McpError> {
  await upstream.request('tasks/cancel', { taskId }, { timeoutMs: 5_000 }).catch(() => {})
  return new McpError('mcp-cancelled', `The task ${taskId} at ${upstream.name} was cancelled.`)
}

function ending({ status, error, statusMessage }: JsonObject): string {
  const why = isJsonObject(error) && typeof error.message === 'string' ? error.message : statusMessage
  return `ended as ${String(status)}${typeof why === 'string' ? `: ${why.slice(0, 2_000)}` : '.'}`
}

const bounded = (ms: number): number => Math.min(Math.max(ms, LEAST_POLL_MS), LONGEST_POLL_MS)

/** False when the call was stopped meanwhile. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer)
      resolve(false)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve(true)
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
