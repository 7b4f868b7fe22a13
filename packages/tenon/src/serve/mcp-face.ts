import { failureText, principalOf } from '@tenon/a2a'
import type { JsonObject } from '@tenon/kernel'
import { mcpHttp } from '@tenon/mcp'
import { offerSkills } from '@tenon/skills'
import type { Host } from '../host/host.js'
import { AgentService } from '../mcp/agent-service.js'
import { withSkills } from '../skills/skill-service.js'
import { TENON_VERSION } from '../version.js'
import type { Gate } from './gate.js'
import type { HttpFace } from './http-site.js'
import { publicAgentNames } from './public-agent-names.js'
import { requireRoom } from './require-room.js'

const PATH = '/mcp'
/** RFC 9728: at the root, and with the path of the resource behind it. */
const METADATA = '/.well-known/oauth-protected-resource'

export type McpFaceOptions = {
  readonly host: Host
  /** Where clients reach this server, without a slash at the end. */
  readonly url: string
  readonly gate: Gate
}

/** Public agents and the skills of this place as an MCP server, both eras on one endpoint. */
export function mcpFace({ host, url, gate }: McpFaceOptions): HttpFace {
  const { skills } = host
  const agents = new AgentService({
    engine: host.engine,
    agents: () => publicAgentNames(host.config).map((name) => host.agentNamed(name)),
    toolsOf: undefined,
    summary: (runId) => host.store.runs.get(runId),
    metadataOf: host.metadataOf,
    // What a tool or a provider said stays inside, as over A2A and the OpenAI API.
    whyNot: (ended) => (ended.state === 'failed' ? failureText(ended) : undefined),
    requireRoom: (principal) => requireRoom(host, principal),
    serverInfo: { name: 'tenon', version: TENON_VERSION },
  })
  const service =
    skills === undefined
      ? agents
      : withSkills(
          agents,
          offerSkills(() => skills.current()),
        )
  const metadata = gate.issuers.length === 0 ? undefined : resourceMetadata(`${url}${PATH}`, gate.issuers)
  const challenge = metadata && `Bearer resource_metadata="${url}${METADATA}${PATH}"`
  const endpoint = mcpHttp({
    service,
    async enter(request, response) {
      const caller = await gate.enter(request, response, 'mcp', challenge)
      return caller === undefined ? undefined : { principal: principalOf(caller) }
    },
  })
  return {
    addresses: [`${url}${PATH}`],
    async serve(request, response) {
      const path = request.url?.split('?', 1)[0]
      if (metadata !== undefined && (path === METADATA || path === METADATA + PATH)) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
        return true
      }
      return endpoint.handle(request, response)
    },
    leave: () => agents.leave(),
    close: async () => endpoint.close(),
  }
}

/** Where clients get a token that is taken here. Keys of the configuration are no matter of OAuth. */
const resourceMetadata = (resource: string, issuers: readonly string[]): JsonObject => ({
  resource,
  authorization_servers: issuers,
  bearer_methods_supported: ['header'],
})
