import type { DeprecatedFeature } from '@tenon/mcp'
import type { Found, Rule } from '../rule.js'

const INSTEAD: Readonly<Record<DeprecatedFeature, string>> = {
  roots: 'give it its folders as arguments or as parameters of its tools',
  sampling: 'let it call a model itself, or return the material and let the agent think',
  logging: 'let it write to stderr (stdio), or to OpenTelemetry',
}

const USE: Readonly<Record<DeprecatedFeature, string>> = {
  roots: 'it asks for roots',
  sampling: 'it asks for the use of a model',
  logging: 'it sends log messages',
}

export const deprecatedMcpFeature: Rule = {
  id: 'deprecated-mcp-feature',
  severity: 'warning',
  title: 'Deprecated MCP features are in use',
  reason:
    'Revision 2026-07-28 deprecates roots, sampling and logging (SEP-2577). They work for now; a later revision may take them out, and new clients need not have them.',
  fix: 'Roots become arguments, sampling becomes a model call of the server or a job of the agent, logging becomes stderr or OpenTelemetry. mcp.sampling and logLevel can then be taken out.',
  look: ({ servers, deprecatedSettings }) => [
    ...servers.flatMap(({ name, deprecated, capabilities }): readonly Found[] => {
      const where = `mcp.servers.${name}`
      const seen = deprecated.map((feature) => ({ where, text: `${USE[feature]}; ${INSTEAD[feature]}` }))
      const declared = capabilities.logging !== undefined && !deprecated.includes('logging')
      return declared ? [...seen, { where, text: `it declares logging; ${INSTEAD.logging}` }] : seen
    }),
    ...deprecatedSettings.map(({ where, feature }) => ({ where, text: `it switches on ${feature}` })),
  ],
}
