import { keyInEnvironment, PROVIDERS } from '@tenon/models'
import type { TenonConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import { secretEntries } from './secret-name.js'

/** Every secret that a configuration and its environment hold, so that none of them reaches a model or the journal. */
export function secretsOfConfig(config: TenonConfig, environment: Environment): readonly string[] {
  const found = new Set<string>()
  for (const provider of PROVIDERS) {
    const key = keyInEnvironment(provider, environment)?.key
    if (key !== undefined) found.add(key)
  }
  const ofServers = Object.values(config.mcp?.servers ?? {}).flatMap(({ env, headers, oauth }) => [
    { apiKey: oauth?.clientSecret, headers: secretEntries({ ...env, ...headers }) },
    { apiKey: oauth?.identityProvider?.clientSecret, headers: {} },
  ])
  const ofPeers = Object.values(config.peers ?? {}).map(({ headers }) => ({ apiKey: undefined, headers }))
  const granted = [...Object.values(config.skills?.grants ?? {}), config.tools?.command ?? {}]
  const ofScripts = granted.map(({ env }) => ({ apiKey: undefined, headers: secretEntries(env) }))
  for (const { apiKey, headers } of [...Object.values(config.models ?? {}), ...ofServers, ...ofPeers, ...ofScripts])
    for (const secret of [apiKey, ...Object.values(headers ?? {})]) {
      const missing = secret?.variables.some((variable) => !environment[variable])
      if (secret === undefined || missing) continue
      const value = secret.reveal()
      found.add(value)
      // Of "Bearer …" the second word is the secret, wherever it comes back.
      const [, token] = /^[A-Za-z]+ (\S{6,})$/.exec(value) ?? []
      if (token !== undefined) found.add(token)
    }
  return [...found]
}
