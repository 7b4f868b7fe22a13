import type { CredentialStore, Credentials } from './credentials.js'

/**
 * A store that tells of every secret that passes through it, old or new: whoever is told can take them out of what a
 * server sends back.
 */
export function toldCredentials(store: CredentialStore, tell: (secret: string) => void): CredentialStore {
  const told = ({ tokens, client }: Credentials): void => {
    for (const secret of [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, client?.client_secret])
      if (typeof secret === 'string') tell(secret)
  }
  return {
    load(key) {
      const found = store.load(key)
      if (found !== undefined) told(found)
      return found
    },
    save(key, credentials) {
      told(credentials)
      store.save(key, credentials)
    },
    forget: (key) => store.forget(key),
  }
}
