import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { HostError } from '../../errors.js'
import { isPublicAddress } from './public-address.js'

/**
 * A resolver for sockets: the addresses that are checked are the ones that are connected to, so a name that answers
 * differently the second time gains nothing. A name with any address that is not public is refused, unless `allowed`.
 */
export function pinnedLookup(allowed: boolean): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const [first] = addresses
      if (first === undefined) return callback(new Error(`no address for ${hostname}`), [])
      if (!allowed && !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(refusedAddress(hostname), [])
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

export const refusedAddress = (hostname: string): HostError =>
  new HostError(
    'url-refused',
    `${hostname} is an address of this machine or of a private network, which fetch_url does not reach.`,
  )
