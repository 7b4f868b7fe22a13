import type { AddClientAuthentication } from '@modelcontextprotocol/client'
import type { CredentialStore } from './credentials.js'

/** What came back from a browser. `iss` is checked against the authorization server that was asked. */
export type AuthorizationAnswer = { readonly code: string; readonly state?: string; readonly iss?: string }

/** Brings a person to an address and back. */
export interface AuthorizationDesk {
  /** Where the answer comes to; stable for a client that is registered with it. */
  readonly redirectUrl: string
  authorize(url: URL): Promise<AuthorizationAnswer>
}

/** What an assertion is wanted for. */
type AssertionAsked = {
  readonly authorizationServer: string
  readonly resource: string
  readonly scope?: string
}

export type OAuthOptions = {
  /** The server as the user knows it. */
  readonly name: string
  readonly url: string
  /** Whose credentials they are. One user's are never used for another. */
  readonly principal: string
  readonly store: CredentialStore
  /** Absent where nobody is there to sign in: then only what was kept is used and refreshed. */
  readonly desk?: AuthorizationDesk
  /** What a person has to do where there is no desk. */
  readonly hint?: string
  readonly clientName: string
  /** A client that was registered by hand. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** A document that describes the client, in place of registering (CIMD, SEP-991). */
  readonly clientMetadataUrl?: string
  readonly scopes?: readonly string[]
  /**
   * `client-credentials`: the client stands for itself and no person is asked. `assertion`: somebody whom the server
   * trusts has signed who we are (RFC 7523): the platform that we run on, or the identity provider of a company.
   */
  readonly grant?: 'person' | 'client-credentials' | 'assertion'
  /** With `assertion`: what was signed, asked for anew for each token. */
  readonly assertion?: (asked: AssertionAsked) => string | Promise<string>
  /**
   * Binds tokens to a key that only we have, where the authorization server does so (DPoP, RFC 9449): what is stolen of
   * them is worth nothing.
   */
  readonly dpop?: boolean
  /** Another way to show who the client is, such as a signed assertion. */
  readonly clientAuthentication?: AddClientAuthentication
}
