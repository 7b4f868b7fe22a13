import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { isInterrupted, isTerminal } from '../../mapping/task-state.js'
import type { WireEvent, WireMessage, WirePart, WireState, WireStatus, WireTask } from '../../mapping/wire-types.js'

/** Optional fields are left out by JSON itself; its type cannot say that. */
export const json = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json

const stateName = (state: WireState): string => state.slice('TASK_STATE_'.length).toLowerCase().replaceAll('_', '-')

/** Data is an object in 0.3; anything else goes into one. */
export const dataOf03 = (data: Json): Json => (isJsonObject(data) ? data : { value: data })

function part03(part: WirePart): object {
  const { metadata } = part
  if ('text' in part) return { kind: 'text', text: part.text, metadata }
  if ('data' in part) {
    return { kind: 'data', data: dataOf03(part.data), metadata }
  }
  const file = { name: part.filename, mimeType: part.mediaType }
  return { kind: 'file', file: 'raw' in part ? { bytes: part.raw, ...file } : { uri: part.url, ...file }, metadata }
}

const message03 = ({ role, parts, ...rest }: WireMessage): object => ({
  kind: 'message',
  role: role === 'ROLE_AGENT' ? 'agent' : 'user',
  parts: parts.map(part03),
  ...rest,
})

const status03 = ({ state, message, timestamp }: WireStatus): object => ({
  state: stateName(state),
  ...(message === undefined ? {} : { message: message03(message) }),
  timestamp,
})

/** A task as 0.3 says it; also the body of its webhooks. */
export function task03({ id, contextId, status, artifacts, history, metadata }: WireTask): Json {
  return json({
    kind: 'task',
    id,
    contextId,
    status: status03(status),
    artifacts: artifacts?.map((artifact) => ({ ...artifact, parts: artifact.parts.map(part03) })),
    history: history?.map(message03),
    metadata,
  })
}

/** What `message/send` answers with: the task or the message itself. */
export function sent03(current: Json): Json {
  const { task, message } = current as unknown as { readonly task?: WireTask; readonly message?: WireMessage }
  return task === undefined ? json(message03(message as WireMessage)) : task03(task)
}

/** A stream of 0.3 ends where the task ends or waits for its caller, or with a message. */
export function endsStream(event: WireEvent): boolean {
  if ('message' in event) return true
  if (!('statusUpdate' in event)) return false
  const { state } = event.statusUpdate.status
  return isTerminal(state) || isInterrupted(state)
}

export function event03(event: WireEvent): { readonly data: Json; readonly last: boolean } {
  const last = endsStream(event)
  if ('task' in event) return { data: task03(event.task), last }
  if ('message' in event) return { data: json(message03(event.message)), last }
  if ('artifactUpdate' in event) {
    const { artifact, ...rest } = event.artifactUpdate
    return {
      data: json({ kind: 'artifact-update', ...rest, artifact: { ...artifact, parts: artifact.parts.map(part03) } }),
      last,
    }
  }
  const { status, ...rest } = event.statusUpdate
  return { data: json({ kind: 'status-update', ...rest, status: status03(status), final: last }), last }
}

export function push03(current: Json): Json {
  const { taskId, authentication, ...rest } = current as unknown as JsonObject & {
    readonly authentication?: { readonly scheme: string }
  }
  return {
    taskId: taskId ?? '',
    pushNotificationConfig: {
      ...rest,
      ...(authentication === undefined ? {} : { authentication: { schemes: [authentication.scheme] } }),
    },
  }
}
