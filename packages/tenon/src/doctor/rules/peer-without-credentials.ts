import type { AgentCard } from '@tenon/a2a'
import type { Rule } from '../rule.js'

export const peerWithoutCredentials: Rule = {
  id: 'peer-without-credentials',
  severity: 'warning',
  title: 'A peer wants to know who calls, and nothing is sent',
  reason: 'Its card says that requests need credentials: the first delegation is refused.',
  fix: 'Put what the peer expects under peers.NAME.headers, best by reference: { Authorization: "Bearer ${TOKEN}" }.',
  look: ({ peers }) =>
    peers.flatMap(({ name, card, hasCredentials }) =>
      card !== undefined && isAsked(card) && !hasCredentials
        ? [{ where: `peers.${name}`, text: `its card asks for ${card.securitySchemes.join(', ')}` }]
        : [],
    ),
}

/** Schemes are only named; what is required stands in `securityRequirements` (1.0) or `security` (0.3). */
function isAsked({ securitySchemes, json }: AgentCard): boolean {
  const required = json.securityRequirements ?? json.security
  return securitySchemes.length > 0 && Array.isArray(required) && required.length > 0
}
