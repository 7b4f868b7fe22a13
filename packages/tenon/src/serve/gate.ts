import type { IncomingMessage, ServerResponse } from 'node:http'
import { Access, type Caller as Client, principalOf } from '@tenon/a2a'
import { isTenonError, matchesText } from '@tenon/kernel'
import type { ServeConfig } from '../config/config-table.js'
import { HostError } from '../errors.js'
import { accessOfConfig } from './access-of-config.js'
import { answerError } from './answer-error.js'
import { hostNameOf, isLoopback, LOOPBACK_NAMES } from './loopback.js'
import { ALL_SCOPES, OWN_SCOPES, SCOPES, type Scope } from './scopes.js'

/** Who asks, by whatever protocol, and what they may do. */
export type Caller = Client & { readonly scopes: ReadonlySet<Scope> }

/** What every request passes, whichever face it is for: first Host and Origin, then one set of keys with scopes. */
export type Gate = {
  /** What keeps a request out that is for another host or comes from a strange web page. */
  stranger(request: IncomingMessage): HostError | undefined
  /** @throws HostError `unauthenticated`, `forbidden` */
  admit(request: IncomingMessage, scope: Scope): Promise<Caller>
  /** The same; where the caller may not, it is answered here, a stranger with this `WWW-Authenticate`. */
  enter(
    request: IncomingMessage,
    response: ServerResponse,
    scope: Scope,
    challenge?: string,
  ): Promise<Caller | undefined>
  /** For `WWW-Authenticate`. */
  readonly challenge: string
  /** Whose tokens are taken, where they are not ours. */
  readonly issuers: readonly string[]
  /** The keys for one scope, for protocols that word refusals themselves. */
  accessFor(scope: Scope): Access
}

/**
 * @param address what is listened on
 * @param report told what keeps callers out that is not their fault
 * @throws HostError `config-invalid` when others can reach the address and anybody could call
 */
export function openGate(config: ServeConfig, address: string, report?: (error: unknown) => void): Gate {
  const { schemes } = accessOfConfig(config.access, report)
  if (schemes.length === 0 && !isLoopback(address))
    throw new HostError(
      'config-invalid',
      'Others can reach this address and anybody could call: add serve.access, or listen on 127.0.0.1.',
    )
  const own = config.url === undefined ? undefined : new URL(config.url)
  const hosts = new Set([
    ...LOOPBACK_NAMES,
    ...(config.hosts ?? []).map(lower),
    ...(own === undefined ? [] : [own.hostname]),
  ])
  const scopesOf = (owner: string, ofToken: readonly string[] = []): ReadonlySet<Scope> => {
    const entry = config.access?.scopes?.find((one) => matchesText(one.owner, owner))
    const may = entry === undefined ? OWN_SCOPES : new Set(entry.may)
    // A token that names none of our scopes was given for its owner as a whole.
    const named = new Set(SCOPES.filter((scope) => ofToken.includes(scope)))
    return named.size === 0 ? may : new Set([...may].filter((scope) => named.has(scope)))
  }
  const everybody = new Access(schemes)

  const gate: Gate = {
    challenge: everybody.challenge,
    issuers: [config.access?.jwt?.issuer, config.access?.introspection?.issuer].filter((one) => one !== undefined),

    stranger(request) {
      const { host = '', origin } = request.headers
      const name = hostNameOf(host)
      // An address cannot be rebound as a name can: the one that was really reached is always good.
      if (name === undefined || !(hosts.has(name) || isReached(request, name)))
        return new HostError('host-refused', 'This host name is not served here. Add it to serve.hosts.')
      if (origin === undefined || origin === own?.origin || /^https?:\/\/(.+)$/.exec(origin)?.[1] === host)
        return undefined
      return new HostError('origin-refused', 'Pages of this origin may not ask here.')
    },

    async admit(request, scope) {
      const client = await everybody.authenticate(request).catch((error) => {
        throw isTenonError(error) ? (refusals[error.code]?.() ?? error) : error
      })
      const scopes = client.authenticated ? scopesOf(client.owner, client.tokenScopes) : ALL_SCOPES
      if (!scopes.has(scope)) throw new HostError('forbidden', `This key has not the scope ${scope}.`)
      return { ...client, scopes }
    },

    async enter(request, response, scope, challenge = gate.challenge) {
      try {
        return await gate.admit(request, scope)
      } catch (error) {
        if (isTenonError(error) && error.code === 'unauthenticated') response.setHeader('www-authenticate', challenge)
        answerError(response, error)
        return undefined
      }
    },

    accessFor: (scope) => new Access(schemes, (owner, ofToken) => scopesOf(owner, ofToken).has(scope)),
  }
  return gate
}

/** Whether a run is the caller's to see; any other is as good as none. */
export const isTheirs = (caller: Caller, run: { readonly principal: string | undefined }): boolean =>
  caller.scopes.has('runs:any') || run.principal === principalOf(caller)

/** What the schemes say in words of A2A, in ours. */
const refusals: Readonly<Record<string, () => HostError>> = {
  'a2a-unauthenticated': () => new HostError('unauthenticated', 'Say who you are, with a key that serve.access knows.'),
  'a2a-forbidden': () => new HostError('forbidden', 'You may not do this here.'),
}

const lower = (name: string): string => name.toLowerCase()

function isReached({ socket }: IncomingMessage, name: string): boolean {
  const address = socket.localAddress?.replace(/^::ffff:/, '')
  return address !== undefined && (name === address || name === `[${address}]`)
}
