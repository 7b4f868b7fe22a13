import type { AccessScheme, Verdict } from './access.js'
import { bearerToken } from './bearer-token.js'
import { type TokenEntry, TokenTable } from './token-table.js'

/** Bearer tokens that are written down here. */
export function staticBearer(entries: readonly TokenEntry[]): AccessScheme {
  const table = new TokenTable(entries)
  return {
    name: 'bearer',
    declaration: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
    challenge: 'Bearer realm="tenon"',
    judge: (request) => verdictOf(table, bearerToken(request)),
  }
}

/** Keys in a header of their own. */
export function apiKeys(entries: readonly TokenEntry[], header = 'x-api-key'): AccessScheme {
  const table = new TokenTable(entries)
  return {
    name: 'apiKey',
    declaration: { apiKeySecurityScheme: { location: 'header', name: header } },
    challenge: `ApiKey realm="tenon", header="${header}"`,
    judge(request) {
      const key = request.headers[header.toLowerCase()]
      return verdictOf(table, typeof key === 'string' ? key : undefined)
    },
  }
}

/**
 * Callers whose certificate a proxy in front of us has checked: it names the subject in a header, and only what comes
 * from `proxies` is believed. `ownerPrefix` stands before the subject in the name of the owner.
 */
export function mutualTls(header: string, proxies: readonly string[], ownerPrefix = ''): AccessScheme {
  const trusted = new Set(proxies)
  return {
    name: 'mtls',
    declaration: { mtlsSecurityScheme: {} },
    challenge: 'MutualTLS realm="tenon"',
    judge(request) {
      const subject = request.headers[header.toLowerCase()]
      const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
      if (typeof subject !== 'string' || subject === '' || !trusted.has(address)) return { kind: 'unknown' }
      return { kind: 'caller', owner: `${ownerPrefix}${subject}` }
    },
  }
}

function verdictOf(table: TokenTable, token: string | undefined): Verdict {
  const entry = token === undefined ? undefined : table.find(token)
  if (entry === undefined) return { kind: 'unknown' }
  return entry.allowed === false ? { kind: 'forbidden' } : { kind: 'caller', owner: entry.owner }
}
