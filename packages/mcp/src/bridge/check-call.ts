import { isMcpError, McpError, rpcDetail } from '../errors.js'
import { matchesName } from '../host/matches-name.js'
import type { ServedCall } from '../server/service.js'
import type { BridgeOptions } from './bridge-options.js'
import type { BridgedServer } from './bridged-server.js'

/**
 * Holds a call to the policy and to the definition that was approved. What asks is asked of the client's user; a
 * client that cannot be asked is refused.
 *
 * @throws McpError `mcp-unknown-tool` for what is denied, `mcp-definition-changed` for what nobody has agreed to
 */
export async function checkCall(
  call: ServedCall,
  server: BridgedServer,
  tool: string,
  { policy, servers }: BridgeOptions,
): Promise<void> {
  const hidden = servers.find(({ name }) => name === server.name)?.hidden ?? []
  const decision = matchesName(hidden, tool) ? 'deny' : (policy?.(server.name, tool) ?? 'allow')
  if (decision === 'deny') throw new McpError('mcp-unknown-tool', `There is no tool ${tool}.`)
  const view = server.viewOf(call.caller)
  const entry = view.catalogue.tools.find(({ name }) => name === tool)
  const change = entry === undefined ? undefined : view.changeOf(entry)
  if (entry !== undefined && change !== undefined) {
    await agree(call, `${tool} of ${server.name} is not what was approved:\n${change}\nUse it as it is now?`)
    view.agreed(entry)
  } else if (decision === 'ask' && call.requestState === undefined)
    await agree(call, `Let ${tool} of ${server.name} run?`)
}

async function agree(call: ServedCall, message: string): Promise<void> {
  const requestedSchema = {
    type: 'object',
    properties: { allow: { type: 'boolean', title: 'Allow' } },
    required: ['allow'],
  }
  try {
    const { action, content } = await call.ask('elicitation/create', { mode: 'form', message, requestedSchema })
    if (action === 'accept' && (content as { allow?: unknown } | undefined)?.allow === true) return
  } catch (error) {
    if (!isMcpError(error) || rpcDetail(error) === undefined) throw error
  }
  throw new McpError('mcp-definition-changed', `Nobody has agreed to this call. ${message}`)
}
