import { isJsonObject, type Json, type JsonObject, type RunStateName } from '@tenon/kernel'
import type { PeerArtifact, PeerMessage, PeerPart, PeerStatus, PeerTask } from '../peer-task.js'

/** How one version writes what both have. */
export type FieldReader = {
  readState(json: Json | undefined): RunStateName | undefined
  readPart(json: JsonObject): PeerPart | undefined
}

/** Peers send much that is not in the specification: what has no use is passed over, what is needed must be there. */
export function readTask(json: Json | undefined, reader: FieldReader): PeerTask | undefined {
  if (!isJsonObject(json) || typeof json.id !== 'string' || json.id === '') return undefined
  const status = readStatus(json.status, reader)
  if (status === undefined) return undefined
  return {
    id: json.id,
    contextId: textOf(json.contextId) ?? '',
    status,
    artifacts: listOf(json.artifacts).flatMap((one) => readArtifact(one, reader) ?? []),
    history: listOf(json.history).flatMap((one) => (isJsonObject(one) ? (textOf(one.messageId) ?? []) : [])),
  }
}

export function readStatus(json: Json | undefined, reader: FieldReader): PeerStatus | undefined {
  if (!isJsonObject(json)) return undefined
  const state = reader.readState(json.state)
  if (state === undefined) return undefined
  const message = readMessage(json.message, reader)
  const timestamp = textOf(json.timestamp)
  return {
    state,
    ...(message === undefined ? {} : { message }),
    ...(timestamp === undefined ? {} : { timestamp }),
  }
}

export function readMessage(json: Json | undefined, reader: FieldReader): PeerMessage | undefined {
  if (!isJsonObject(json) || !Array.isArray(json.parts)) return undefined
  const taskId = textOf(json.taskId)
  const contextId = textOf(json.contextId)
  return {
    messageId: textOf(json.messageId) ?? '',
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
    parts: readParts(json.parts, reader),
  }
}

export function readArtifact(json: Json | undefined, reader: FieldReader): PeerArtifact | undefined {
  if (!isJsonObject(json)) return undefined
  const name = textOf(json.name)
  const description = textOf(json.description)
  return {
    artifactId: textOf(json.artifactId) ?? '',
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    parts: readParts(json.parts, reader),
  }
}

const readParts = (json: Json | undefined, reader: FieldReader): readonly PeerPart[] =>
  listOf(json).flatMap((part) => (isJsonObject(part) ? (reader.readPart(part) ?? []) : []))

export const textOf = (json: Json | undefined): string | undefined =>
  typeof json === 'string' && json !== '' ? json : undefined

const listOf = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? (json as readonly Json[]) : [])
