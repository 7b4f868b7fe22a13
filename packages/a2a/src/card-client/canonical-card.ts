import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@tenon/kernel'

type Shape = {
  readonly required?: readonly string[]
  /** With explicit presence: kept when set, even to the default. */
  readonly optional?: readonly string[]
  /** Messages inside; `*` before the name is a map of them. `Struct` is free-form and stays whole. */
  readonly fields?: Readonly<Record<string, string>>
}

const SHAPES: Readonly<Record<string, Shape>> = {
  AgentCard: {
    required: [
      'name',
      'description',
      'supportedInterfaces',
      'version',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ],
    optional: ['documentationUrl', 'iconUrl'],
    fields: {
      supportedInterfaces: 'AgentInterface',
      provider: 'AgentProvider',
      capabilities: 'AgentCapabilities',
      securitySchemes: '*SecurityScheme',
      securityRequirements: 'SecurityRequirement',
      skills: 'AgentSkill',
    },
  },
  AgentInterface: { required: ['url', 'protocolBinding', 'protocolVersion'] },
  AgentProvider: { required: ['url', 'organization'] },
  AgentCapabilities: {
    optional: ['streaming', 'pushNotifications', 'extendedAgentCard'],
    fields: { extensions: 'AgentExtension' },
  },
  AgentExtension: { fields: { params: 'Struct' } },
  AgentSkill: {
    required: ['id', 'name', 'description', 'tags'],
    fields: { securityRequirements: 'SecurityRequirement' },
  },
  SecurityRequirement: { fields: { schemes: '*StringList' } },
  SecurityScheme: {
    optional: [
      'apiKeySecurityScheme',
      'httpAuthSecurityScheme',
      'oauth2SecurityScheme',
      'openIdConnectSecurityScheme',
      'mtlsSecurityScheme',
    ],
    fields: {
      apiKeySecurityScheme: 'APIKeySecurityScheme',
      httpAuthSecurityScheme: 'HTTPAuthSecurityScheme',
      oauth2SecurityScheme: 'OAuth2SecurityScheme',
      openIdConnectSecurityScheme: 'OpenIdConnectSecurityScheme',
      mtlsSecurityScheme: 'MutualTlsSecurityScheme',
    },
  },
  APIKeySecurityScheme: { required: ['location', 'name'] },
  HTTPAuthSecurityScheme: { required: ['scheme'] },
  OAuth2SecurityScheme: { required: ['flows'], fields: { flows: 'Struct' } },
  OpenIdConnectSecurityScheme: { required: ['openIdConnectUrl'] },
}

/**
 * The forms in which a card may have been signed, canonical by RFC 8785 and without its signatures: the one of spec
 * 8.4.1 rule 1 (fields with presence stay, other defaults go), and the one of 8.4.3 read alone, in which signers of
 * the official libraries drop every default.
 */
export function canonicalCards(card: JsonObject): readonly string[] {
  const { signatures: _, ...rest } = card
  return [canonicalJson(strip(rest, 'AgentCard')), canonicalJson(withoutDefaults(rest) ?? {})]
}

function strip(value: Json, type: string | undefined): Json {
  if (type === 'Struct' || !isJsonObject(value)) return value
  if (type?.startsWith('*'))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strip(inner, type.slice(1))]))
  const { required = [], optional = [], fields = {} } = (type === undefined ? undefined : SHAPES[type]) ?? {}
  const kept: Record<string, Json> = {}
  for (const [key, inner] of Object.entries(value)) {
    const field = fields[key]
    const clean = Array.isArray(inner)
      ? (inner as readonly Json[]).map((one) => strip(one, field))
      : strip(inner, field)
    const emptyMap = field?.startsWith('*') === true && isJsonObject(clean) && Object.keys(clean).length === 0
    if (required.includes(key) || optional.includes(key) || !(isDefault(clean) || emptyMap)) kept[key] = clean
  }
  return kept
}

function withoutDefaults(value: Json): Json | undefined {
  if (Array.isArray(value)) {
    const kept = (value as readonly Json[]).flatMap((one) => withoutDefaults(one) ?? [])
    return kept.length === 0 ? undefined : kept
  }
  if (!isJsonObject(value)) return isDefault(value) ? undefined : value
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const clean = withoutDefaults(inner)
    return clean === undefined ? [] : [[key, clean] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

const isDefault = (value: Json): boolean =>
  value === '' || value === false || value === 0 || value === null || (Array.isArray(value) && value.length === 0)
