import { Peer } from '@tenon/a2a'
import { systemClock } from '@tenon/kernel'
import type { CommonOptions, Io } from '../cli/io.js'
import { loadConfig } from '../config/load-config.js'
import { HostError } from '../errors.js'
import { knownNames } from '../host/known-names.js'
import { cardAddress, peerOfSettings } from './peer-of-settings.js'

export type PeerOptions = CommonOptions & {
  /** `Name: value`, any number of times. */
  readonly header?: readonly string[]
}

/**
 * The agent that a person names on the command line: a peer of the configuration, or the address of a card or of a
 * server. Close it afterwards. @throws HostError `usage`
 */
export function peerAtHand(io: Io, written: string, options: PeerOptions): Peer {
  const given = headersOf(options.header ?? [])
  if (/^https?:\/\//i.test(written)) {
    if (!URL.canParse(written)) throw new HostError('usage', `${written} is no address.`)
    const own = { url: cardAddress(written), ...(given === undefined ? {} : { credentials: () => given }) }
    const { host, hostname } = new URL(own.url)
    return new Peer({ name: host, allow: [host === hostname ? hostWithUsualPort(own.url) : host], ...own }, systemClock)
  }
  const { config } = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  const settings = config.peers?.[written]
  if (settings === undefined) {
    const names = Object.keys(config.peers ?? {})
    const known = names.length === 0 ? 'The configuration names no peers.' : `There are: ${names.join(', ')}.`
    throw new HostError('usage', `${written} is neither an address nor a peer. ${known}`)
  }
  const peer = peerOfSettings(written, settings)
  const { credentials } = peer
  return new Peer(
    given === undefined ? peer : { ...peer, credentials: async () => ({ ...(await credentials?.()), ...given }) },
    systemClock,
  )
}

const hostWithUsualPort = (address: string): string => {
  const { hostname, protocol } = new URL(address)
  return `${hostname}:${protocol === 'https:' ? '443' : '80'}`
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (lines.length === 0) return undefined
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) throw new HostError('usage', 'A header is written "Name: value".')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
