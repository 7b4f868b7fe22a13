import type { OAuthOptions } from './oauth-options.js'

export type IdentityProvider = {
  readonly tokenEndpoint: string
  /** The client that we are to it. */
  readonly clientId: string
  readonly clientSecret?: string
  /** What it says of the person who has signed in there; asked for anew for each token. */
  readonly idToken: () => string
}

/**
 * The way in of a company that decides for its people which servers they may use (enterprise-managed authorization,
 * SEP-990): its identity provider gives a grant for one server in place of what it says of the person.
 */
export function enterpriseAssertion(provider: IdentityProvider): NonNullable<OAuthOptions['assertion']> {
  const { tokenEndpoint, clientId, clientSecret, idToken } = provider
  return async ({ authorizationServer, resource, scope }) => {
    const { requestJwtAuthorizationGrant } = await import('../official-client.js')
    const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
      tokenEndpoint,
      audience: authorizationServer,
      resource,
      idToken: idToken(),
      clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(scope === undefined ? {} : { scope }),
    })
    return jwtAuthGrant
  }
}
