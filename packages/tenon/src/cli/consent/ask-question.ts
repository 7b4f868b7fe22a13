import { type InputRequest, isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { safeText } from '../printer/safe-text.js'
import type { Asker } from './asker.js'

/** Puts a question of a tool or a peer before a person. Undefined: they leave it open, or it was answered elsewhere. */
export async function askQuestion(request: InputRequest, asker: Asker, signal: AbortSignal): Promise<Json | undefined> {
  for (const line of safeText(request.prompt).split('\n')) asker.say(line)
  const form = formIn(request.schema)
  if (form !== undefined) return fillIn(form, asker, signal)
  const options = choicesIn(request.schema)
  const several = request.schema?.type === 'array' ? ', several by commas' : ''
  for (const [index, option] of options.entries()) asker.say(`  ${index + 1}  ${safeText(String(option))}`)
  for (;;) {
    const typed = await asker.question(
      options.length > 0 ? `Number or text${several} (empty: later): ` : 'Answer (empty: later): ',
      signal,
    )
    if (typed === undefined || typed.trim() === '') return undefined
    const answer = readAnswer(typed.trim(), request.schema)
    if (answer !== undefined) return answer
    asker.say(`The answer must fit this shape: ${JSON.stringify(request.schema)}`)
  }
}

/** A form is filled in field by field, left for later, or refused as a whole. */
async function fillIn(schema: JsonObject, asker: Asker, signal: AbortSignal): Promise<Json | undefined> {
  const typed = await asker.question('Answer now? (y, n: refuse, empty: later) ', signal)
  if (typed === undefined || !/^(y|yes|n|no)$/i.test(typed.trim())) return undefined
  if (/^n/i.test(typed.trim())) return false
  const { askForm } = await import('./ask-form.js')
  return askForm(schema, asker, signal)
}

function formIn(schema: JsonObject | undefined): JsonObject | undefined {
  const fields = schema?.type === 'object' && isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  return fields.length > 0 ? schema : undefined
}

/** What somebody typed, in the shape that was asked for; undefined where it cannot be read so. */
export function readAnswer(typed: string, schema: JsonObject | undefined): Json | undefined {
  const options = optionsOf(schema)
  if (options.length > 0) {
    const exact = options.find((option) => String(option) === typed)
    return exact ?? (/^\d+$/.test(typed) ? options[Number(typed) - 1] : undefined)
  }
  const type = schema?.type
  const several = type === 'array' && isJsonObject(schema?.items) ? schema.items : undefined
  if (several !== undefined && !typed.startsWith('[')) {
    const each = typed.split(',').map((one) => readAnswer(one.trim(), several))
    return each.includes(undefined) ? undefined : (each as Json[])
  }
  if (schema === undefined || type === 'string') return typed
  if (type === 'boolean')
    return /^(y|yes|true)$/i.test(typed) ? true : /^(n|no|false)$/i.test(typed) ? false : undefined
  try {
    return JSON.parse(typed) as Json
  } catch {
    return type === undefined ? typed : undefined
  }
}

function optionsOf(schema: JsonObject | undefined): readonly Json[] {
  return Array.isArray(schema?.enum) ? (schema.enum as Json[]) : []
}

function choicesIn(schema: JsonObject | undefined): readonly Json[] {
  const items = schema?.items
  return optionsOf(isJsonObject(items) ? items : schema)
}
