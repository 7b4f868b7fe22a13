import type { Json, JsonObject } from '@tenon/kernel'
import type { WireArtifact, WireEvent, WireMessage, WirePart, WireStatus, WireTask } from '../../mapping/wire-types.js'
import { dataOf03, endsStream, json } from './from-current.js'

/** A part as the protocol buffers of 0.3 have it. */
function part(current: WirePart): object {
  const { metadata } = current
  if ('text' in current) return { text: current.text, metadata }
  if ('data' in current) return { data: { data: dataOf03(current.data) }, metadata }
  const frame = { name: current.filename, mimeType: current.mediaType }
  return {
    file: 'raw' in current ? { fileWithBytes: current.raw, ...frame } : { fileWithUri: current.url, ...frame },
    metadata,
  }
}

const message = ({ parts, referenceTaskIds: _, ...rest }: WireMessage): object => ({
  ...rest,
  content: parts.map(part),
})

const status = ({ state, message: said, timestamp }: WireStatus): object => ({
  state: state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state,
  ...(said === undefined ? {} : { message: message(said) }),
  timestamp,
})

const artifact = (current: WireArtifact): object => ({ ...current, parts: current.parts.map(part) })

const task = (current: WireTask): object => ({
  ...current,
  status: status(current.status),
  artifacts: current.artifacts?.map(artifact),
  history: current.history?.map(message),
})

export const protoTask = (current: Json): Json => json(task(current as unknown as WireTask))

/** What `message:send` answers with. */
export function protoSent(current: Json): Json {
  const sent = current as unknown as { readonly task?: WireTask; readonly message?: WireMessage }
  return json(sent.task === undefined ? { message: message(sent.message as WireMessage) } : { task: task(sent.task) })
}

export function protoEvent(event: WireEvent): { readonly data: Json; readonly last: boolean } {
  const last = endsStream(event)
  if ('task' in event) return { data: json({ task: task(event.task) }), last }
  if ('message' in event) return { data: json({ message: message(event.message) }), last }
  if ('artifactUpdate' in event) {
    const { artifact: made, ...rest } = event.artifactUpdate
    return { data: json({ artifactUpdate: { ...rest, artifact: artifact(made) } }), last }
  }
  const { status: now, ...rest } = event.statusUpdate
  return { data: json({ statusUpdate: { ...rest, status: status(now), final: last } }), last }
}

/** A webhook as 0.3 has it, with the name that its protocol buffers give it. */
export function protoPush(push: Json): Json {
  const { taskId, pushNotificationConfig } = push as JsonObject & { readonly pushNotificationConfig: JsonObject }
  return {
    taskId: taskId ?? '',
    name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(pushNotificationConfig.id ?? '')}`,
    pushNotificationConfig,
  }
}
