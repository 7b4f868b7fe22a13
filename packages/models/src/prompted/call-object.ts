import type { Finish, JsonNode, JsonObjectNode, JsonStringNode, Repair } from '@tenon/kernel'
import { argumentsInNode } from '@tenon/kernel'
import type { OfferedTools } from './offered-tools.js'
import { findTool, isOffered } from './offered-tools.js'
import type { ReadCall } from './read-turn.js'

const NAME_KEYS: readonly string[] = ['name', 'tool', 'tool_name', 'action', 'function']
const ARGUMENT_KEYS: readonly string[] = ['arguments', 'parameters', 'args', 'action_input', 'input']
const OTHER_KEYS: readonly string[] = ['id', 'type', 'index']

/** A node that has the shape of a call, whatever its name. */
export type CallShape = { readonly name: JsonStringNode; readonly args: JsonNode }

/** One name, one set of arguments, and beside them at most an id, a type and an index. */
export function callShape(node: JsonNode): CallShape | null {
  if (node.kind !== 'object') return null
  const inner = openedFunction(node)
  if (inner !== null) return callShape(inner)
  let name: JsonStringNode | undefined
  let args: JsonNode | undefined
  for (const { key, value } of node.members) {
    if (NAME_KEYS.includes(key) && value.kind === 'string') {
      if (name !== undefined) return null
      name = value
    } else if (ARGUMENT_KEYS.includes(key)) {
      if (args !== undefined) return null
      args = value
    } else if (!OTHER_KEYS.includes(key)) return null
  }
  return name === undefined || args === undefined ? null : { name, args }
}

/** `{"type": "function", "function": {…}}`: the wire form of a definition, filled with a call. */
function openedFunction(node: JsonObjectNode): JsonObjectNode | null {
  const typed = node.members.some((member) => member.key === 'type')
  const called = node.members.find((member) => member.key === 'function')?.value
  if (!typed || called?.kind !== 'object') return null
  return node.members.every(({ key }) => key === 'function' || OTHER_KEYS.includes(key)) ? called : null
}

/** The text that a call object gives as the final answer, where it is one. */
export function answerInShape(shape: CallShape): string | null {
  if (!/^final[ _]answer$/i.test(shape.name.value.trim())) return null
  return shape.args.kind === 'string' ? shape.args.value : null
}

/** Reads a call out of its shape. `repairs` are those of the text that it was read from. */
export function callFromShape(
  shape: CallShape,
  tools: OfferedTools,
  repairs: Iterable<Repair>,
  unclosed: boolean,
  finish: Finish,
  written: string,
): ReadCall {
  const made = new Set(repairs)
  const tool = findTool(shape.name.value, shape.name.start, tools, made)
  if ('code' in tool) return { kind: 'broken', name: shape.name.value, problem: tool, written }
  const reading = argumentsInNode(shape.args, tool.shape, made, unclosed, finish)
  if (!reading.ok) return { kind: 'broken', name: tool.name, problem: reading.problem, written }
  return { kind: 'call', name: tool.name, args: reading.args, repairs: reading.repairs, written }
}

const FIRST_KEY = /\s*\{\s*(?:["'“]?)(\w+)(?:["'”]?)\s*[:：]\s*["'“]([^"'“”\n]*)["'”]/y

/** The offered tool that broken JSON at `at` names with its first key, if it does. */
export function namedByFirstKey(text: string, at: number, tools: OfferedTools): string | null {
  FIRST_KEY.lastIndex = at
  const [, key, name] = FIRST_KEY.exec(text) ?? []
  return key !== undefined && name !== undefined && NAME_KEYS.includes(key) && isOffered(name, tools) ? name : null
}
