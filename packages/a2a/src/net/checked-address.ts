import { isIP } from 'node:net'
import { PeerError } from '../peer/peer-error.js'
import { type AllowedHosts, isAllowedHost } from './is-allowed-host.js'
import { isPublicAddress } from './public-address.js'

/**
 * An address that may be connected to as far as its text tells; names are checked again when they are resolved.
 * @throws PeerError `peer-address-forbidden`
 */
export function checkedAddress(written: string, allowed: AllowedHosts, what: string): URL {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new PeerError('peer-address-forbidden', `${what} is no http or https address.`)
  if (url.username !== '' || url.password !== '')
    throw new PeerError('peer-address-forbidden', `${what} has a user name or password in it.`)
  // A URL's host is normalised: 2130706433, 0x7f.1 and 0177.0.0.1 all read 127.0.0.1 here.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host) && !isAllowedHost(url, allowed)) throw forbiddenAddress(url.host)
  return url
}

export const forbiddenAddress = (host: string): PeerError =>
  new PeerError(
    'peer-address-forbidden',
    `${host} is an address of this machine or of a private network. Allow it by name, with its port, if it is meant.`,
  )
