import type { Json, JsonObject } from '@tenon/kernel'
import type { AccessScheme } from '../access/access.js'
import type { ExposedAgent } from '../tasks/exposed-agent.js'
import type { AgentFacts } from './agent-facts.js'

export type CardPlace = {
  /** Absolute addresses of the two bindings. */
  readonly rpcUrl: string
  readonly restUrl: string
  /** `host:port`; version 1.0 only. */
  readonly grpcUrl?: string
  readonly versions: readonly ('1.0' | '0.3')[]
  readonly schemes: readonly AccessScheme[]
}

const ANY_INPUT = ['text/plain', 'application/json', 'application/octet-stream']

/** The card of A2A 1.0, the preferred interface first. */
export function buildCard(exposed: ExposedAgent, place: CardPlace, extended?: AgentFacts): JsonObject {
  const { capabilities } = exposed
  const { skills, ...facts } = extended ?? exposed.facts
  return {
    ...(facts as unknown as JsonObject),
    supportedInterfaces: place.versions.flatMap((protocolVersion) => [
      { url: place.rpcUrl, protocolBinding: 'JSONRPC', protocolVersion },
      { url: place.restUrl, protocolBinding: 'HTTP+JSON', protocolVersion },
      ...(place.grpcUrl === undefined || protocolVersion !== '1.0'
        ? []
        : [{ url: place.grpcUrl, protocolBinding: 'GRPC', protocolVersion }]),
    ]),
    capabilities: {
      streaming: capabilities.streaming,
      pushNotifications: capabilities.pushNotifications,
      extendedAgentCard: capabilities.extendedCard !== undefined,
      ...(capabilities.extensions === undefined ? {} : { extensions: capabilities.extensions as unknown as Json }),
    },
    defaultInputModes: exposed.inputModes ?? ANY_INPUT,
    defaultOutputModes: exposed.outputModes,
    skills: skills as unknown as Json,
    ...(place.schemes.length === 0
      ? {}
      : {
          securitySchemes: Object.fromEntries(place.schemes.map(({ name, declaration }) => [name, declaration])),
          securityRequirements: place.schemes.map(({ name }) => ({ schemes: { [name]: { list: [] } } })),
        }),
  }
}

/**
 * The same for clients of 0.3, which look for other fields; those of 1.0 stay, so that one that knows both finds both.
 * Signatures of the 1.0 card stay too: a reader that takes only the fields of 1.0 can verify them.
 */
export function hybridCard(card: JsonObject, place: CardPlace): JsonObject {
  const schemes = Object.fromEntries(place.schemes.map(({ name, declaration }) => [name, scheme03(declaration)]))
  return {
    ...card,
    protocolVersion: '0.3.0',
    url: place.rpcUrl,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: place.rpcUrl, transport: 'JSONRPC' },
      { url: place.restUrl, transport: 'HTTP+JSON' },
    ],
    supportsAuthenticatedExtendedCard: (card.capabilities as JsonObject).extendedAgentCard === true,
    ...(place.schemes.length === 0
      ? {}
      : { securitySchemes: schemes, security: place.schemes.map(({ name }) => ({ [name]: [] })) }),
  }
}

/** OpenAPI's form of a scheme. */
function scheme03(declaration: Json): Json {
  const [kind, value] = Object.entries(declaration as JsonObject)[0] ?? []
  const fields = value as JsonObject
  switch (kind) {
    case 'httpAuthSecurityScheme':
      return { type: 'http', ...fields, scheme: String(fields.scheme).toLowerCase() }
    case 'apiKeySecurityScheme':
      return { type: 'apiKey', in: fields.location ?? 'header', name: fields.name ?? '' }
    case 'openIdConnectSecurityScheme':
      return { type: 'openIdConnect', ...fields }
    default:
      return { type: 'mutualTLS' }
  }
}
