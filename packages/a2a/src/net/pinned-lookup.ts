import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.js'

/**
 * A resolver for sockets: the addresses that are checked are the ones that are connected to, so a name that answers
 * differently the second time gains nothing. Where one of them is not public, `refuse` makes the error.
 */
export function pinnedLookup(refuse: (hostname: string) => Error): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const [first] = addresses
      if (first === undefined) return callback(new Error(`no address for ${hostname}`), [])
      if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(refuse(hostname), [])
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
