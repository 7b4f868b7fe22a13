import type { ArgumentPattern, Json } from '@tenon/kernel'

/** A rule of `allowed-tools` as a tool of this host, and for which arguments. */
export type AllowedTool = { readonly rule: string; readonly tool: string; readonly pattern?: ArgumentPattern }

/** What other clients call the tools that we have, and which argument their parentheses speak of. */
const NAMES: Readonly<Record<string, { readonly tool: string; readonly argument?: string }>> = {
  Read: { tool: 'read_file', argument: '/path' },
  Write: { tool: 'write_file', argument: '/path' },
  Edit: { tool: 'edit_file', argument: '/path' },
  MultiEdit: { tool: 'edit_file', argument: '/path' },
  Glob: { tool: 'list_files' },
  LS: { tool: 'list_files' },
  Grep: { tool: 'search_files' },
  Bash: { tool: 'run_command', argument: '/command' },
  Shell: { tool: 'run_command', argument: '/command' },
  WebFetch: { tool: 'fetch_url', argument: '/url' },
  TodoWrite: { tool: 'todo' },
}

/**
 * Which tools of `offered` a rule speaks of: `Read`, `Bash(git:*)`, `mcp__files__read`, or a name of ours. A rule that
 * speaks of no tool here pre-approves nothing.
 */
export function allowedTools(rules: readonly string[], offered: ReadonlySet<string>): readonly AllowedTool[] {
  return rules.flatMap((rule) => allowedTool(rule, offered) ?? [])
}

/** The tool that a rule speaks of, offered here or not. A name that means nothing to this host stays as it is. */
export function toolOfRule(rule: string): string {
  const [, name = rule] = /^([^()]+)(?:\(.*\))?$/s.exec(rule) ?? []
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  if (server !== undefined && tool !== undefined) return `${server}__${tool}`
  return Object.hasOwn(NAMES, name) ? (NAMES[name]?.tool ?? name) : name
}

function allowedTool(rule: string, offered: ReadonlySet<string>): AllowedTool | undefined {
  const [, name = '', inside] = /^([^()]+)(?:\((.*)\))?$/s.exec(rule) ?? []
  if (offered.has(name)) return inside === undefined ? { rule, tool: name } : undefined
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name)
  const served =
    mcp === null ? undefined : [`${mcp[1]}__${mcp[2]}`, `${mcp[1]}_${mcp[2]}`].find((tool) => offered.has(tool))
  if (served !== undefined) return inside === undefined ? { rule, tool: served } : undefined
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
  if (known === undefined || !offered.has(known.tool)) return undefined
  if (inside === undefined || inside.trim() === '' || inside.trim() === '*') {
    // A shell without bounds is never given by a word in a file.
    return known.tool === 'run_command' ? undefined : { rule, tool: known.tool }
  }
  if (known.argument === undefined) return undefined
  return { rule, tool: known.tool, pattern: { [known.argument]: argumentPattern(known.tool, inside.trim()) } }
}

/** `git:*` and `git *` mean the one program git with any arguments: not `gitx`, and no second command behind it. */
function argumentPattern(tool: string, inside: string): Json {
  if (tool === 'run_command') return { $command: inside.replace(/:\*$/, ' *') }
  return inside.replace(/^domain:/, 'https://').replaceAll('**', '*')
}
