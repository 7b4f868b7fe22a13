import type { Json, JsonObject, ToolDefinition } from '@tenon/kernel'
import { declaredFields, fieldShape, requiredFields, type Shape, singleType } from '@tenon/kernel'

/** A value that shows the form of a field. */
function exampleValue(shape: Shape, depth: number): Json {
  const schema = shape.schema as JsonObject | undefined
  if (schema !== undefined) {
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0] as Json
    if (schema.default !== undefined && schema.default !== null) return schema.default
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0] as Json
  }
  switch (singleType(shape)) {
    case 'integer':
    case 'number':
      return typeof schema?.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    case 'array':
      return depth > 2 ? [] : [exampleValue({ schema: schema?.items, root: shape.root }, depth + 1)]
    case 'object':
      return depth > 2 ? {} : exampleObject(shape, depth + 1)
    default:
      return 'text'
  }
}

function exampleObject(shape: Shape, depth: number): JsonObject {
  const required = requiredFields(shape)
  const fields = required.length > 0 ? required : declaredFields(shape).slice(0, 1)
  return Object.fromEntries(fields.map((key) => [key, exampleValue(fieldShape(shape, key), depth)]))
}

/** Arguments that show the form of a tool's: what it requires, each field with a value of its type. */
export const exampleArguments = (tool: ToolDefinition): JsonObject =>
  exampleObject({ schema: tool.input, root: tool.input }, 0)

/** The tools that examples are made from: those with the fewest required fields that have some. */
export function exampleTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const fields = (tool: ToolDefinition): number => requiredFields({ schema: tool.input, root: tool.input }).length || 9
  return [...tools].sort((a, b) => fields(a) - fields(b)).slice(0, 2)
}
