import { loopbackDesk } from './loopback-desk.js'
import { oauthAuth } from './oauth-auth.js'
import type { OAuthOptions } from './oauth-options.js'
import { OAuthProvider } from './oauth-provider.js'

/**
 * Signs a person in whose browser is on this machine. The port of the callback is kept: a client is registered with
 * it, and is registered anew only where that port is taken. @throws McpError `mcp-auth-required`
 */
export async function signInHere(options: Omit<OAuthOptions, 'desk'>, show: (url: URL) => void): Promise<void> {
  const { store } = options
  const { key } = new OAuthProvider(options)
  const kept = store.load(key) ?? {}
  const desk = await loopbackDesk(show, kept.callbackPort)
  try {
    const { client, ...rest } = kept
    const same = kept.callbackPort === desk.port && client !== undefined
    store.save(key, { ...rest, ...(same ? { client } : {}), callbackPort: desk.port })
    await oauthAuth({ ...options, desk }).signIn()
  } finally {
    desk.close()
  }
}
