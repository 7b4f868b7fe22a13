import { checkedAddress } from '../../net/checked-address.js'
import { type AllowedHosts, isAllowedHost } from '../../net/is-allowed-host.js'

export type GrpcAddress = { readonly url: URL; readonly isPlain: boolean }

/**
 * Where a card says that gRPC is spoken: `https://host:port`, or `host:port`. It is spoken without TLS only where the
 * card says http://, or names no scheme and the host is one that the configuration allows.
 *
 * @throws PeerError `peer-address-forbidden`
 */
export function grpcAddress(written: string, allowed: AllowedHosts, what: string): GrpcAddress {
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(written)
  const url = checkedAddress(isBare ? `https://${written}` : written, allowed, what)
  return { url, isPlain: url.protocol === 'http:' || (isBare && isAllowedHost(url, allowed)) }
}
