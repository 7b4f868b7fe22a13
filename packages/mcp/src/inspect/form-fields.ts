import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

/** One line of a form: what is asked for, and how what is typed is read. */
export type FormField = {
  readonly name: string
  readonly label: string
  readonly required: boolean
  /** Taken where nothing is typed. */
  readonly preset: Json | undefined
  readonly choices: readonly string[]
  /** What was typed as a value; a text that says what is wrong with it. */
  read(typed: string): { readonly value: Json } | { readonly problem: string }
}

/** The fields of a form for an object of this schema, in its order. What is no plain field is typed as JSON. */
export function formFields(schema: JsonObject): readonly FormField[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, field]) =>
    fieldOf(name, isJsonObject(field) ? field : {}, required.includes(name)),
  )
}

function fieldOf(name: string, field: JsonObject, required: boolean): FormField {
  const { title, description, type, default: preset } = field
  const choices = choicesOf(field)
  const hint = [typeof description === 'string' ? description : '', choices.join(' | ')].filter((part) => part !== '')
  const label = `${typeof title === 'string' ? title : name}${hint.length === 0 ? '' : ` (${hint.join('; ')})`}`
  return { name, label, required, preset, choices, read: (typed) => readTyped(typed, type, choices) }
}

function choicesOf({ enum: values, oneOf, anyOf }: JsonObject): readonly string[] {
  if (Array.isArray(values)) return values.map(String)
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : []
  return titled.flatMap((one) => (isJsonObject(one) && one.const !== undefined ? [String(one.const)] : []))
}

function readTyped(typed: string, type: Json | undefined, choices: readonly string[]) {
  if (choices.length > 0 && type !== 'array')
    return choices.includes(typed) ? { value: typed } : { problem: `one of ${choices.join(', ')}` }
  switch (type) {
    case 'string':
      return { value: typed }
    case 'integer':
    case 'number': {
      const value = Number(typed)
      const fits = typed.trim() !== '' && (type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value))
      return fits ? { value } : { problem: type === 'integer' ? 'a whole number' : 'a number' }
    }
    case 'boolean': {
      if (/^(y|yes|true)$/i.test(typed)) return { value: true }
      return /^(n|no|false)$/i.test(typed) ? { value: false } : { problem: 'yes or no' }
    }
    default:
      try {
        return { value: JSON.parse(typed) as Json }
      } catch {
        return { problem: type === undefined ? 'JSON, texts in quotes' : `JSON of the type ${String(type)}` }
      }
  }
}
