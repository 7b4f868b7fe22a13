import { isUtf8 } from 'node:buffer'
import type { Json } from '@tenon/kernel'
import type { Diagnose } from './diagnostic.js'
import { type Received, readMessage } from './json-rpc.js'

/** Messages in one line or body; undefined where it is no JSON. A list of messages is read as each of them. */
export function readBytes(bytes: Buffer, diagnose: Diagnose): readonly Received[] | undefined {
  if (!isUtf8(bytes)) diagnose('bad-utf8')
  return readText(bytes.toString('utf8'), diagnose)
}

export function readText(text: string, diagnose: Diagnose): readonly Received[] | undefined {
  let value: Json
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as Json
  } catch {
    return undefined
  }
  if (!Array.isArray(value)) return [readMessage(value)]
  diagnose('batch-received', `${value.length} messages in one array`)
  return value.map((one: Json) => readMessage(one))
}
