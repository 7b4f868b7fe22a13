import type { ArgumentProblem, Repair, Shape, ToolDefinition } from '@tenon/kernel'
import { ambiguousTool, resolveName, unknownTool } from '@tenon/kernel'

/** The tools of a request, as a reader of calls needs them. */
export type OfferedTools = { readonly names: readonly string[]; readonly shapes: ReadonlyMap<string, Shape> }

export function offeredTools(tools: readonly ToolDefinition[]): OfferedTools {
  return {
    names: tools.map((tool) => tool.name),
    shapes: new Map(tools.map((tool) => [tool.name, { schema: tool.input, root: tool.input }])),
  }
}

/** The tool that a written name means; a different spelling is noted in `repairs`. */
export function findTool(
  written: string,
  position: number | null,
  tools: OfferedTools,
  repairs: Set<Repair>,
): { readonly name: string; readonly shape: Shape } | ArgumentProblem {
  const found = resolveName(written, tools.names)
  if (found.kind === 'ambiguous') return ambiguousTool(written, found.candidates, position)
  const shape = found.kind === 'tool' ? tools.shapes.get(found.name) : undefined
  if (found.kind === 'unknown' || shape === undefined) return unknownTool(written, tools.names, position)
  if (found.normalised) repairs.add('name-normalised')
  return { name: found.name, shape }
}

export const isOffered = (written: string, tools: OfferedTools): boolean =>
  resolveName(written, tools.names).kind === 'tool'
