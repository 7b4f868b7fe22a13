import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json, JsonObject } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'

/** The slice of the Berkeley Function-Calling Leaderboard that lies beside the checkout. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', 'shared', 'data', 'bfcl')

type GoldCall = { readonly name: string; readonly args: JsonObject }
export type BfclEntry = { readonly id: string; readonly functions: readonly JsonObject[]; readonly calls: GoldCall[] }

export const bfclIsHere = existsSync(FOLDER)

const lines = (path: string): JsonObject[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as JsonObject)

export function bfclEntries(): readonly BfclEntry[] {
  const entries: BfclEntry[] = []
  for (const file of readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()) {
    const answers = new Map<Json, JsonObject>()
    const path = join(FOLDER, 'answers', file)
    if (existsSync(path)) for (const answer of lines(path)) answers.set(answer.id ?? null, answer)
    for (const entry of lines(join(FOLDER, file))) {
      const functions = (Array.isArray(entry.function) ? entry.function : [entry.function]) as JsonObject[]
      const gold = answers.get(entry.id ?? null)?.ground_truth
      const calls = Array.isArray(gold) ? gold.map((call: Json) => goldCall(call, functions)) : []
      entries.push({ id: String(entry.id), functions, calls })
    }
  }
  return entries
}

function goldCall(call: Json, functions: readonly JsonObject[]): GoldCall {
  const [[name, args]] = Object.entries(call as JsonObject) as [[string, Json]]
  const { required } = (functions.find((definition) => definition.name === name)?.parameters ?? {}) as JsonObject
  return { name, args: firstAccepted(args, Array.isArray(required) ? required : []) as JsonObject }
}

/** Of the values that are accepted for each argument the first; the empty text means that it may be absent. */
function firstAccepted(args: Json, required: readonly Json[] = []): Json {
  if (!isJsonObject(args)) return args
  const chosen: [string, Json][] = []
  for (const [key, values] of Object.entries(args)) {
    const accepted = (Array.isArray(values) ? values : [values]) as Json[]
    const first = required.includes(key) ? (accepted.find((value) => value !== '') ?? accepted[0]) : accepted[0]
    if (first === undefined || (first === '' && !required.includes(key))) continue
    const value = Array.isArray(first) ? first.map(nested) : nested(first)
    chosen.push([key, value])
  }
  return Object.fromEntries(chosen)
}

/** Objects inside of a value list what is accepted for each of their keys. */
const nested = (value: Json): Json =>
  isJsonObject(value) && Object.values(value).every((accepted) => Array.isArray(accepted))
    ? firstAccepted(value)
    : value
