import { canonicalJson, type Json } from '@tenon/kernel'
import type { ToolEntry } from './tool-entry.js'

/** What a person approved of a tool, in the parts that are compared. */
export type PinnedTool = {
  readonly digest: string
  readonly description: string
  readonly input: Json
}

export const pinOf = ({ digest, description, input }: ToolEntry): PinnedTool => ({ digest, description, input })

/** The difference between what was approved and what is there now, for the person who is asked again. */
export function changeOfTool(before: PinnedTool, now: ToolEntry): string {
  const lines: string[] = []
  if (before.description !== now.description)
    lines.push(`- description: ${quoted(before.description)}`, `+ description: ${quoted(now.description)}`)
  const [old, fresh] = [canonicalJson(before.input), canonicalJson(now.input)]
  if (old !== fresh) lines.push(`- input: ${old.slice(0, 2_000)}`, `+ input: ${fresh.slice(0, 2_000)}`)
  if (lines.length === 0) lines.push('title, output or annotations differ')
  return lines.join('\n')
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 2_000))
