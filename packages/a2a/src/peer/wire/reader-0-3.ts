import { isJsonObject, type JsonObject, type RunStateName } from '@tenon/kernel'
import { runState } from '../../mapping/task-state.js'
import type { PeerPart } from '../peer-task.js'
import { type FieldReader, fileFrame } from './read-fields.js'

/** `unknown` is what a server says that lost track of its task: not ended, so it is looked at again. */
const STATES: ReadonlyMap<string, RunStateName> = new Map([
  ['submitted', 'submitted'],
  ['working', 'working'],
  ['input-required', 'input-required'],
  ['auth-required', 'auth-required'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['rejected', 'rejected'],
  ['unknown', 'working'],
  // Its protocol buffers spell this one otherwise.
  ['TASK_STATE_CANCELLED', 'canceled'],
  ['TASK_STATE_UNSPECIFIED', 'working'],
])

/** Reads 0.3 in both of its forms: its JSON Schema's, and that of its protocol buffers, which HTTP+JSON has. */
export const READER_0_3: FieldReader = {
  readState: (json) => (typeof json === 'string' ? (STATES.get(json) ?? runState(json)) : undefined),
  readPart,
}

function readPart({ text, data, file, kind }: JsonObject): PeerPart | undefined {
  if (typeof text === 'string') return { text }
  if (isJsonObject(file)) return readFile(file)
  // Protocol buffers put what a data part has into a field of its own.
  const inner = kind === undefined && isJsonObject(data) ? data.data : data
  return inner === undefined ? undefined : { data: inner }
}

function readFile({ bytes, fileWithBytes, uri, fileWithUri, mimeType, name }: JsonObject): PeerPart | undefined {
  const frame = fileFrame(mimeType, name)
  const raw = bytes ?? fileWithBytes
  if (typeof raw === 'string') return { raw, ...frame }
  const url = uri ?? fileWithUri
  return typeof url === 'string' ? { url, ...frame } : undefined
}
