/**
 * What is used of the official client: signing in, and templates of addresses. To be imported when it is needed: its
 * schemas take longer to load than everything else of this package.
 */
export {
  auth,
  computeScopeUnion,
  DpopSession,
  extractWWWAuthenticateParams,
  generateDpopKeyPair,
  isStrictScopeSuperset,
  OAuthError,
  requestJwtAuthorizationGrant,
  UriTemplate,
} from '@modelcontextprotocol/client'
