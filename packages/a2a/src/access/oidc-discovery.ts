import { A2AError } from '../errors.js'

/** Where an issuer's keys lie (OpenID Connect Discovery 1.0, section 4). @throws A2AError `a2a-key-unusable` */
export async function discover(issuer: string): Promise<{ readonly jwksUrl: string }> {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
  const said = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
  // An answer for another issuer would let that one speak for ours.
  if (!response.ok || said.issuer !== issuer || typeof said.jwks_uri !== 'string')
    throw new A2AError('a2a-key-unusable', `The issuer ${issuer} does not say where its keys are.`)
  return { jwksUrl: said.jwks_uri }
}
