import type { BridgeOptions } from '@tenon/mcp'
import type { McpConfig } from '../config/config-table.js'

/** What the configuration says of single tools of servers, for those who call them through a bridge. */
export function bridgePolicy(config: McpConfig | undefined): NonNullable<BridgeOptions['policy']> {
  return (server, tool) => {
    const { allow, ask, deny } = config?.servers?.[server] ?? {}
    if (covers(deny, tool)) return 'deny'
    if (covers(ask, tool)) return 'ask'
    // A list of what runs without asking says that everything else asks.
    return allow === undefined || covers(allow, tool) ? 'allow' : 'ask'
  }
}

const covers = (patterns: readonly string[] | undefined, tool: string): boolean =>
  patterns?.some((pattern) => {
    const source = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    return new RegExp(`^${source.join('.*')}$`, 's').test(tool)
  }) === true
