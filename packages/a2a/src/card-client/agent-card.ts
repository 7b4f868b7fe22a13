import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { PeerError } from '../peer/peer-error.js'

/** One way in, as a card offers it. */
export type CardInterface = {
  readonly url: string
  /** `JSONRPC`, `HTTP+JSON`, `GRPC`, or the URI of another binding. */
  readonly binding: string
  /** Major.Minor: patch numbers do not matter (spec 3.6). */
  readonly version: string
  readonly tenant?: string
}

export type CardSkill = { readonly id: string; readonly name: string; readonly description: string }

/** What we read of a card, of either version. */
export type AgentCard = {
  readonly name: string
  readonly description: string
  readonly version: string
  /** In the card's order of preference. */
  readonly interfaces: readonly CardInterface[]
  readonly streaming: boolean
  readonly pushNotifications: boolean
  readonly extensions: readonly string[]
  /** Those without which the agent does not talk. */
  readonly requiredExtensions: readonly string[]
  readonly skills: readonly CardSkill[]
  readonly securitySchemes: readonly string[]
  readonly provider?: string
  /** The card as it came, for its signatures and for people. */
  readonly json: JsonObject
}

/** @throws PeerError `peer-card-invalid` */
export function readAgentCard(json: Json): AgentCard {
  if (!isJsonObject(json) || typeof json.name !== 'string')
    throw new PeerError('peer-card-invalid', 'What lies at the address of the card is no agent card.')
  const interfaces = interfacesOf(json)
  if (interfaces.length === 0)
    throw new PeerError('peer-card-invalid', `The card of ${json.name.slice(0, 100)} names no interface.`)
  const capabilities = isJsonObject(json.capabilities) ? json.capabilities : {}
  const extensions = objectsIn(capabilities.extensions)
  const provider = isJsonObject(json.provider) ? json.provider.organization : undefined
  return {
    name: json.name,
    description: textIn(json, 'description'),
    version: textIn(json, 'version'),
    interfaces,
    streaming: capabilities.streaming === true,
    pushNotifications: capabilities.pushNotifications === true,
    extensions: extensions.map((extension) => textIn(extension, 'uri')),
    requiredExtensions: extensions
      .filter(({ required }) => required === true)
      .map((extension) => textIn(extension, 'uri')),
    skills: objectsIn(json.skills).map((skill) => ({
      id: textIn(skill, 'id'),
      name: textIn(skill, 'name'),
      description: textIn(skill, 'description'),
    })),
    securitySchemes: isJsonObject(json.securitySchemes) ? Object.keys(json.securitySchemes) : [],
    ...(typeof provider === 'string' ? { provider } : {}),
    json,
  }
}

/** Those of 1.0; where there are none, those of 0.3: the preferred one first, then the others (0.3, 5.6). */
function interfacesOf(json: JsonObject): readonly CardInterface[] {
  const modern = objectsIn(json.supportedInterfaces).flatMap((one) =>
    typeof one.url === 'string' && typeof one.protocolBinding === 'string'
      ? {
          url: one.url,
          binding: one.protocolBinding,
          version: majorMinor(one.protocolVersion),
          ...(typeof one.tenant === 'string' && one.tenant !== '' ? { tenant: one.tenant } : {}),
        }
      : [],
  )
  if (modern.length > 0) return modern
  const version = majorMinor(json.protocolVersion)
  const own = typeof json.url === 'string' ? [{ url: json.url, transport: json.preferredTransport ?? 'JSONRPC' }] : []
  return [...own, ...objectsIn(json.additionalInterfaces)].flatMap(({ url, transport }) =>
    typeof url === 'string' && typeof transport === 'string' ? { url, binding: transport, version } : [],
  )
}

const majorMinor = (version: Json | undefined): string =>
  typeof version === 'string' ? version.split('.').slice(0, 2).join('.') : '0.3'

const objectsIn = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isJsonObject) : []

const textIn = (json: JsonObject, key: string): string => {
  const value = json[key]
  return typeof value === 'string' ? value : ''
}
