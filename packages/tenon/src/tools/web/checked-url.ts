import { isIP } from 'node:net'
import { isPublicAddress } from '@tenon/a2a/net'
import { HostError } from '../../errors.js'
import { refusedAddress } from './refused-address.js'

/** Hosts that may be reached although they are not public: `localhost`, `127.0.0.1:8080`, `wiki.internal`. */
export type AllowedHosts = readonly string[]

/**
 * A URL that may be fetched as far as its text tells; names are checked again when they are resolved.
 * @throws HostError `url-invalid`, `url-refused`
 */
export function checkedUrl(written: string, allowed: AllowedHosts, base?: URL): URL {
  const url = URL.canParse(written, base?.href) ? new URL(written, base?.href) : undefined
  if (url === undefined)
    throw new HostError(
      'url-invalid',
      `${JSON.stringify(written.slice(0, 200))} is no URL. It needs the form https://host/path.`,
    )
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new HostError('url-refused', `fetch_url reads http and https only, not ${url.protocol.slice(0, -1)}.`)
  if (url.username !== '' || url.password !== '')
    throw new HostError('url-refused', 'A URL with a user name or password in it is not fetched.')
  // A URL's host is normalised: 2130706433, 0x7f.1 and 0177.0.0.1 all read 127.0.0.1 here.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host) && !isAllowedHost(url, allowed)) throw refusedAddress(host)
  return url
}

export const isAllowedHost = (url: URL, allowed: AllowedHosts): boolean =>
  allowed.some((entry) => entry.toLowerCase() === url.host || entry.toLowerCase() === url.hostname)
