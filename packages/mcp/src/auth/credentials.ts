import type { webcrypto } from 'node:crypto'
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'

/** What is kept of signing in to one server as one user. Never shown to a model, a log or a journal. */
export type Credentials = {
  readonly client?: StoredOAuthClientInformation
  readonly tokens?: StoredOAuthTokens
  /** Epoch milliseconds at which the access token ends, as far as the server said. */
  readonly expiresAt?: number
  readonly discovery?: OAuthDiscoveryState
  /** The private key that the tokens are bound to, where they are. */
  readonly boundKey?: webcrypto.JsonWebKey
  /** The port of the callback that the client was registered with. */
  readonly callbackPort?: number
}

export interface CredentialStore {
  load(key: string): Credentials | undefined
  save(key: string, credentials: Credentials): void
  forget(key: string): void
}

export function memoryCredentials(): CredentialStore {
  const kept = new Map<string, Credentials>()
  return {
    load: (key) => kept.get(key),
    save: (key, credentials) => {
      kept.set(key, credentials)
    },
    forget: (key) => {
      kept.delete(key)
    },
  }
}
