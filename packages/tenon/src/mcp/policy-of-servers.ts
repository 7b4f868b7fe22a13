import type { PolicyRule } from '@tenon/kernel'
import type { McpConfig } from '../config/config-table.js'

/** What the configuration says about single tools of servers, as rules of the policy. */
export function policyOfServers(config: McpConfig | undefined): readonly PolicyRule[] {
  return Object.entries(config?.servers ?? {}).flatMap(([name, { allow = [], ask = [], deny = [] }]) => {
    const rules = (disposition: PolicyRule['disposition'], tools: readonly string[]): PolicyRule[] =>
      tools.map((tool) => ({ disposition, tool: `${name}__${tool}`, origin: { kind: 'mcp', name } }))
    return [...rules('deny', deny), ...rules('ask', ask), ...rules('allow', allow)]
  })
}
