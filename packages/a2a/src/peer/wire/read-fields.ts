import { type Amounts, isJsonObject, type Json, type JsonObject, type RunStateName } from '@tenon/kernel'
import { readSpending } from '../../budget/budget-extension.js'
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
  const lastWords = readLastWords(json.history, reader)
  return {
    id: json.id,
    contextId: textOf(json.contextId) ?? '',
    status,
    artifacts: listOf(json.artifacts).flatMap((one, index) => readArtifact(one, reader, index) ?? []),
    ...(lastWords === undefined ? {} : { lastWords }),
    ...spentIn(json),
  }
}

/** What was used, where the peer tells it. */
export function spentIn({ metadata }: JsonObject): { readonly spent?: Amounts } {
  const spent = readSpending(metadata)
  return spent === undefined ? {} : { spent }
}

function readLastWords(history: Json | undefined, reader: FieldReader): PeerMessage | undefined {
  const said = listOf(history).findLast((one) => isJsonObject(one) && /agent$/i.test(String(one.role)))
  return readMessage(said, reader)
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
  if (!isJsonObject(json)) return undefined
  // The protocol buffers of 0.3 call them content.
  const parts = json.parts ?? json.content
  if (!Array.isArray(parts)) return undefined
  const taskId = textOf(json.taskId)
  const contextId = textOf(json.contextId)
  return {
    messageId: textOf(json.messageId) ?? '',
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
    parts: readParts(parts as readonly Json[], reader),
    ...spentIn(json),
  }
}

/** An artifact without an id is known by its place. */
export function readArtifact(json: Json | undefined, reader: FieldReader, index = 0): PeerArtifact | undefined {
  if (!isJsonObject(json)) return undefined
  const name = textOf(json.name)
  const description = textOf(json.description)
  return {
    artifactId: textOf(json.artifactId) ?? `${index + 1}`,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    parts: readParts(json.parts, reader),
  }
}

const readParts = (json: Json | undefined, reader: FieldReader): readonly PeerPart[] =>
  listOf(json).flatMap((part) => (isJsonObject(part) ? (reader.readPart(part) ?? []) : []))

/** What a file is, under the names that a version has for it. */
export function fileFrame(
  mediaType: Json | undefined,
  filename: Json | undefined,
): Pick<PeerPart, 'mediaType' | 'filename'> {
  const type = textOf(mediaType)
  const name = textOf(filename)
  return { ...(type === undefined ? {} : { mediaType: type }), ...(name === undefined ? {} : { filename: name }) }
}

export const textOf = (json: Json | undefined): string | undefined =>
  typeof json === 'string' && json !== '' ? json : undefined

const listOf = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? (json as readonly Json[]) : [])
