import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import type { PeerEvent } from '../peer-task.js'
import { type FieldReader, readArtifact, readMessage, readStatus, readTask, spentIn, textOf } from './read-fields.js'

/** An event under the name of its kind, as protocol buffers write it: `{ statusUpdate: … }`. */
export function readNamedEvent(json: Json, reader: FieldReader): PeerEvent | undefined {
  if (!isJsonObject(json)) return undefined
  return (
    taskEvent(json.task, reader) ??
    messageEvent(json.message, reader) ??
    statusEvent(json.statusUpdate, reader) ??
    artifactEvent(json.artifactUpdate, reader)
  )
}

/** An event that says itself what it is: `{ kind: 'status-update', … }`. */
export function readKindEvent(json: Json, reader: FieldReader): PeerEvent | undefined {
  if (!isJsonObject(json)) return undefined
  switch (json.kind) {
    case 'task':
      return taskEvent(json, reader)
    case 'message':
      return messageEvent(json, reader)
    case 'status-update':
      return statusEvent(json, reader)
    case 'artifact-update':
      return artifactEvent(json, reader)
    default:
      return undefined
  }
}

function taskEvent(json: Json | undefined, reader: FieldReader): PeerEvent | undefined {
  const task = readTask(json, reader)
  return task && { kind: 'task', task }
}

function messageEvent(json: Json | undefined, reader: FieldReader): PeerEvent | undefined {
  const message = readMessage(json, reader)
  return message && { kind: 'message', message }
}

function statusEvent(json: Json | undefined, reader: FieldReader): PeerEvent | undefined {
  if (!isJsonObject(json)) return undefined
  const status = readStatus(json.status, reader)
  return status && { kind: 'status', ...placeOf(json), status, ...spentIn(json) }
}

function artifactEvent(json: Json | undefined, reader: FieldReader): PeerEvent | undefined {
  if (!isJsonObject(json)) return undefined
  const artifact = readArtifact(json.artifact, reader)
  return artifact && { kind: 'artifact', ...placeOf(json), artifact, append: json.append === true }
}

const placeOf = (json: JsonObject): { readonly taskId: string; readonly contextId: string } => ({
  taskId: textOf(json.taskId) ?? '',
  contextId: textOf(json.contextId) ?? '',
})
