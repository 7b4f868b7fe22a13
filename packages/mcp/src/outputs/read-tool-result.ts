import {
  type ContentBlock,
  type HandResult,
  isJsonObject,
  type Json,
  type JsonObject,
  type SchemaCompiler,
  text,
} from '@tenon/kernel'
import type { ToolEntry } from '../catalogue/tool-entry.js'
import { McpError } from '../errors.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import { blockOfContent } from './block-of-content.js'
import { saysNothingNew } from './says-nothing-new.js'

/**
 * What a model and a program get of a tool's result. Text and structure are shown once where they say the same; a
 * structure that breaks its schema reaches nobody as valid. @throws McpError `mcp-protocol-error`, `mcp-output-invalid`
 */
export async function readToolResult(
  entry: ToolEntry,
  result: JsonObject,
  compile: SchemaCompiler,
  diagnose: Diagnose,
): Promise<HandResult> {
  const { content, structuredContent } = result
  const isError = result.isError === true
  if (content !== undefined && !Array.isArray(content)) {
    diagnose('bad-message', 'content is no list')
    if (structuredContent === undefined)
      throw new McpError('mcp-protocol-error', `${entry.server} answered ${entry.name} with a content that is no list.`)
  }
  const blocks = Array.isArray(content) ? content.map((one) => blockOfContent(one, diagnose)) : []
  const fits =
    isError || structuredContent === undefined || (await fitsSchema(entry, structuredContent, compile, diagnose))
  const structure = fits ? structuredContent : undefined
  if (!fits && blocks.length === 0)
    throw new McpError('mcp-output-invalid', `The result of ${entry.name} does not have the shape that it declares.`)
  const shown = structure === undefined ? blocks : withStructure(blocks, structure, diagnose)
  return {
    kind: 'result',
    content: shown.length > 0 ? shown : [text(isError ? `${entry.name} failed without a word.` : '(no output)')],
    ...(structure === undefined ? {} : { value: structure }),
    ...(isError ? { isError: true } : {}),
  }
}

function withStructure(blocks: readonly ContentBlock[], structure: Json, diagnose: Diagnose): readonly ContentBlock[] {
  const said = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []))
  if (said.length === 0) return [...blocks, text(JSON.stringify(structure))]
  const whole = said.join('\n')
  const parsed = parse(whole)
  if (parsed === undefined)
    return saysNothingNew(structure, whole) ? blocks : [...blocks, text(JSON.stringify(structure))]
  if (sameJson(parsed, structure)) return blocks
  diagnose('content-disagrees')
  return [...blocks, text(JSON.stringify(structure))]
}

async function fitsSchema(
  { name, output }: ToolEntry,
  structure: Json,
  compile: SchemaCompiler,
  diagnose: Diagnose,
): Promise<boolean> {
  if (output === undefined) return true
  let schema: ReturnType<SchemaCompiler>
  try {
    schema = compile(output)
  } catch {
    diagnose('output-schema-unusable', name)
    return true
  }
  const checked = await schema.check(structure)
  if (checked.ok) return true
  const [first] = checked.problems
  diagnose('output-schema-mismatch', first === undefined ? name : `${name}: ${first.path} ${first.message}`)
  return false
}

function parse(value: string): Json | undefined {
  try {
    return JSON.parse(value) as Json
  } catch {
    return undefined
  }
}

function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => sameJson(value, b[index] ?? null))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key] ?? null, b[key] ?? null))
  )
}
