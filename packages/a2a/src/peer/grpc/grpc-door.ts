import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Client, credentials } from '@grpc/grpc-js'
import { forbiddenAddress } from '../../net/checked-address.js'
import { type AllowedHosts, isAllowedHost } from '../../net/is-allowed-host.js'
import { isPublicAddress } from '../../net/public-address.js'
import { PeerError } from '../peer-error.js'
import type { GrpcAddress } from './grpc-address.js'

/**
 * Channels to one peer over gRPC. Names are resolved here, checked, and connected to by the addresses that were checked;
 * no proxy of the environment comes between. A channel is kept until it fails.
 */
export class GrpcDoor {
  readonly #open = new Map<string, Client>()

  constructor(
    readonly peer: string,
    readonly allowed: AllowedHosts,
    /** Bytes of one message that comes. */
    readonly messageBytes: number,
  ) {}

  /** @throws PeerError `peer-address-forbidden`, `peer-unavailable` */
  async client({ url, isPlain }: GrpcAddress): Promise<Client> {
    const known = this.#open.get(url.host)
    if (known !== undefined) return known
    const target = await this.#target(url, isPlain)
    const made = new Client(target, isPlain ? credentials.createInsecure() : credentials.createSsl(), {
      'grpc.default_authority': url.host,
      'grpc.ssl_target_name_override': url.hostname,
      'grpc.max_receive_message_length': this.messageBytes,
      'grpc.enable_http_proxy': 0,
      'grpc.primary_user_agent': 'tenon',
    })
    this.#open.get(url.host)?.close()
    this.#open.set(url.host, made)
    return made
  }

  /** The next one resolves its name anew. */
  forget({ url }: GrpcAddress): void {
    this.#open.get(url.host)?.close()
    this.#open.delete(url.host)
  }

  close(): void {
    for (const client of this.#open.values()) client.close()
    this.#open.clear()
  }

  async #target(url: URL, isPlain: boolean): Promise<string> {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const port = url.port || (isPlain ? '80' : '443')
    const addresses = isIP(host) === 0 ? await this.#resolved(host) : [{ address: host, family: isIP(host) }]
    if (!isAllowedHost(url, this.allowed) && !addresses.every(({ address }) => isPublicAddress(address)))
      throw forbiddenAddress(url.host)
    const [{ family } = { family: 4 }] = addresses
    const same = addresses.filter((one) => one.family === family)
    return family === 6
      ? `ipv6:${same.map(({ address }) => `[${address}]:${port}`).join(',')}`
      : `ipv4:${same.map(({ address }) => `${address}:${port}`).join(',')}`
  }

  async #resolved(host: string): Promise<readonly { readonly address: string; readonly family: number }[]> {
    try {
      return await lookup(host, { all: true })
    } catch (cause) {
      throw new PeerError('peer-unavailable', `${this.peer} cannot be reached: its name does not resolve.`, { cause })
    }
  }
}
