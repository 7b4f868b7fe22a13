import type { Repair } from '@tenon/kernel'
import { argumentsInNode, faultProblem, isFault, JsonReader } from '@tenon/kernel'
import { findTool } from '../offered-tools.js'
import type { ReadCall } from '../read-turn.js'
import type { JsonContext } from './call-group.js'
import { brokenCall } from './call-group.js'
import { skipBroken } from './skip-broken.js'

/** A name and an object that is the arguments. */
export function namedCall(
  context: JsonContext,
  name: string,
  position: number,
  at: number,
  ends: (at: number) => boolean,
): { readonly call: ReadCall; readonly end: number } {
  const { text, to, tools, finish } = context
  const repairs = new Set<Repair>()
  const tool = findTool(name, position, tools, repairs)
  const reader = new JsonReader(text, at, to, ends)
  const node = reader.value()
  const skipped = isFault(node) ? skipBroken(text, node, to) : reader.at
  const end = skipped < 0 ? Math.max(reader.at, at) : skipped
  const written = text.slice(position, end)
  if ('code' in tool) return { call: brokenCall(name, tool, written), end }
  if (isFault(node)) return { call: brokenCall(tool.name, faultProblem(node), written), end }
  for (const repair of reader.repairs) repairs.add(repair)
  const reading = argumentsInNode(node, tool.shape, repairs, reader.unclosed.length > 0, finish)
  if (!reading.ok) return { call: brokenCall(tool.name, reading.problem, written), end }
  return { call: { kind: 'call', name: tool.name, args: reading.args, repairs: reading.repairs, written }, end }
}
