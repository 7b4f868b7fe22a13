import { randomBytes } from 'node:crypto'
import type {
  AddClientAuthentication,
  DpopSession,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { boundKey } from './bound-key.js'
import type { Credentials } from './credentials.js'
import type { OAuthOptions } from './oauth-options.js'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const NOWHERE = 'http://127.0.0.1/callback'

const tokenRequest = (parameters: Readonly<Record<string, string>>, scope: string | undefined): URLSearchParams =>
  new URLSearchParams({ ...parameters, ...(scope === undefined ? {} : { scope }) })

/** True for the way in that leads through a browser. */
export const asksPerson = (grant: OAuthOptions['grant']): boolean => grant === undefined || grant === 'person'

/** The official client's view of our credentials: it does the protocol, we keep and show. */
export class OAuthProvider implements OAuthClientProvider {
  readonly addClientAuthentication?: AddClientAuthentication
  readonly clientMetadataUrl?: string
  readonly prepareTokenRequest?: (scope?: string) => URLSearchParams | Promise<URLSearchParams>
  readonly dpop?: () => Promise<DpopSession>
  /** Where the last flow wants a person to go. */
  authorizationUrl: URL | undefined
  #verifier = ''
  #state = ''
  #session: Promise<DpopSession> | undefined

  constructor(readonly options: OAuthOptions) {
    const { clientAuthentication, clientMetadataUrl, grant, assertion } = options
    if (clientAuthentication !== undefined) this.addClientAuthentication = clientAuthentication
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
    if (options.dpop)
      this.dpop = () => {
        this.#session ??= boundKey(options.store, this.key)
        return this.#session
      }
    if (grant === 'client-credentials')
      this.prepareTokenRequest = (scope) => tokenRequest({ grant_type: 'client_credentials' }, scope)
    if (grant === 'assertion')
      this.prepareTokenRequest = async (scope) => {
        const asked = { authorizationServer: this.kept.discovery?.authorizationServerUrl ?? '', resource: options.url }
        const signed = await assertion?.(scope === undefined ? asked : { ...asked, scope })
        return tokenRequest({ grant_type: JWT_BEARER, assertion: signed ?? '' }, scope)
      }
  }

  get key(): string {
    return JSON.stringify([this.options.principal, this.options.url])
  }

  get kept(): Credentials {
    return this.options.store.load(this.key) ?? {}
  }

  /** Forgets all that was kept, and the key that it was bound to. */
  forget(): void {
    this.#session = undefined
    this.options.store.forget(this.key)
  }

  get redirectUrl(): string | undefined {
    const { grant, desk } = this.options
    return asksPerson(grant) ? (desk?.redirectUrl ?? NOWHERE) : undefined
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientName, scopes, grant, client } = this.options
    const alone = !asksPerson(grant)
    return {
      client_name: clientName,
      redirect_uris: this.redirectUrl === undefined ? [] : [this.redirectUrl],
      grant_types: alone
        ? [grant === 'assertion' ? JWT_BEARER : 'client_credentials']
        : ['authorization_code', 'refresh_token'],
      response_types: alone ? [] : ['code'],
      // A program on a person's machine can keep no secret.
      token_endpoint_auth_method: client?.secret === undefined ? 'none' : 'client_secret_basic',
      ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
    }
  }

  state(): string {
    this.#state = randomBytes(24).toString('base64url')
    return this.#state
  }

  /** The state that the answer of the browser must bring back. */
  get expectedState(): string {
    return this.#state
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { client } = this.options
    if (client === undefined) return this.kept.client
    return { client_id: client.id, ...(client.secret === undefined ? {} : { client_secret: client.secret }) }
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    if (this.options.client === undefined) this.#keep({ client })
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.kept.tokens
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    const { expiresAt: _, ...kept } = this.kept
    const seconds = tokens.expires_in
    this.options.store.save(this.key, {
      ...kept,
      tokens,
      ...(typeof seconds === 'number' ? { expiresAt: Date.now() + seconds * 1_000 } : {}),
    })
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#keep({ discovery })
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.kept.discovery
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const { client, tokens, expiresAt, discovery, ...rest } = this.kept
    if (scope === 'verifier') {
      this.#verifier = ''
      return
    }
    const drops = (part: typeof scope): boolean => scope === 'all' || scope === part
    this.options.store.save(this.key, {
      ...rest,
      ...(client === undefined || drops('client') ? {} : { client }),
      ...(tokens === undefined || drops('tokens') ? {} : { tokens }),
      ...(expiresAt === undefined || drops('tokens') ? {} : { expiresAt }),
      ...(discovery === undefined || drops('discovery') ? {} : { discovery }),
    })
  }

  #keep(part: Credentials): void {
    this.options.store.save(this.key, { ...this.kept, ...part })
  }
}
