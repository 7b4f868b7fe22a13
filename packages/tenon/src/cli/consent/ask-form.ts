import type { Json, JsonObject } from '@tenon/kernel'
import { formFields } from '@tenon/mcp'
import { safeText } from '../printer/safe-text.js'
import type { Asker } from './asker.js'

/** Asks for the fields of an object one by one. Undefined when the person closed the input. */
export async function askForm(schema: JsonObject, asker: Asker, signal: AbortSignal): Promise<JsonObject | undefined> {
  const answers: Record<string, Json> = {}
  for (const field of formFields(schema)) {
    const preset =
      field.preset === undefined ? (field.required ? '' : ' (empty: none)') : ` [${JSON.stringify(field.preset)}]`
    for (;;) {
      const typed = await asker.question(`${safeText(field.label)}${safeText(preset)}: `, signal)
      if (typed === undefined) return undefined
      if (typed === '') {
        if (field.preset !== undefined) answers[field.name] = field.preset
        if (field.preset !== undefined || !field.required) break
      }
      const read = field.read(typed)
      if ('value' in read) {
        answers[field.name] = read.value
        break
      }
      asker.say(`  It must be ${safeText(read.problem)}.`)
    }
  }
  return answers
}
