import { resolve } from 'node:path'
import { BUDGET_EXTENSION, type CardVerdict, type FetchedCard, type TrustedKey, verifyCard } from '@tenon/a2a'
import { isJsonObject, isTenonError, type Json } from '@tenon/kernel'
import { type PeerOptions, peerAtHand } from '../../a2a/peer-at-hand.js'
import { readTextFile } from '../../config/read-text-file.js'
import { HostError } from '../../errors.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

export type A2aCardOptions = PeerOptions & { readonly keys?: string; readonly json?: boolean }

/** `tenon a2a card`: fails when the card is wrongly signed or offers no way in. */
export async function a2aCard(io: Io, written: string, options: A2aCardOptions): Promise<number> {
  const peer = peerAtHand(io, written, options)
  const { signal } = new AbortController()
  try {
    const fetched = await peer.card(signal)
    const { card } = fetched
    const verdict =
      options.keys === undefined ? fetched.verdict : verifyCard(card.json, keysIn(resolve(io.cwd, options.keys)))
    const way = await peer.link(signal).then(
      ({ chosen }) => `${chosen.offered.binding} ${chosen.offered.version} at ${chosen.offered.url}`,
      (error) => {
        if (!isTenonError(error)) throw error
        return error
      },
    )
    if (options.json) io.stdout.write(`${JSON.stringify(card.json, null, 2)}\n`)
    const lines = [...linesOf(fetched), `signature: ${verdictInWords(verdict)}`]
    const last = typeof way === 'string' ? `spoken to: ${way}` : `cannot be spoken to: ${way.message} [${way.code}]`
    const out = options.json ? io.stderr : io.stdout
    for (const line of [...lines, last]) out.write(`${safeText(line)}\n`)
    return typeof way === 'string' && verdict.kind !== 'wrong' ? EXIT.completed : EXIT.failed
  } finally {
    await peer.close()
  }
}

function linesOf({ card }: FetchedCard): readonly string[] {
  const can = [
    ...(card.streaming ? ['streams'] : []),
    ...(card.pushNotifications ? ['pushes'] : []),
    ...(card.extensions.includes(BUDGET_EXTENSION) ? ['keeps to budgets'] : []),
  ]
  return [
    `${card.name}${card.version === '' ? '' : ` ${card.version}`}${card.provider === undefined ? '' : ` by ${card.provider}`}`,
    ...(card.description === '' ? [] : [card.description]),
    ...card.skills.map(({ id, description }) => `skill ${id}: ${description}`),
    ...card.interfaces.map(({ binding, version, url }) => `interface: ${binding} ${version} at ${url}`),
    `abilities: ${can.join(', ') || 'none declared'}`,
    `credentials: ${card.securitySchemes.join(', ') || 'none declared'}`,
  ]
}

function verdictInWords(verdict: CardVerdict): string {
  switch (verdict.kind) {
    case 'verified':
      return `verified by the trusted key ${verdict.kid}`
    case 'published':
      return `by ${verdict.kid}, which its own server publishes: unchanged on the way. --keys FILE names keys that you trust`
    case 'wrong':
      return `WRONG: the card does not fit the signature of ${verdict.kid}`
    case 'unsigned':
      return 'none'
    case 'unknown-key':
      return `by ${verdict.kids.join(', ')}, not verified: --keys FILE names keys that you trust${verdict.jku === undefined ? '' : ` (the card points to ${verdict.jku})`}`
  }
}

const MOST_BYTES_OF_KEYS = 1024 * 1024

function keysIn(file: string): readonly TrustedKey[] {
  const text = readTextFile(file, MOST_BYTES_OF_KEYS)
  let json: Json
  try {
    json = JSON.parse(text) as Json
  } catch (cause) {
    throw new HostError('file-unreadable', `${file} is no JWK set: it is no JSON.`, { cause })
  }
  if (!isJsonObject(json) || !Array.isArray(json.keys))
    throw new HostError('file-unreadable', `${file} is no JWK set: it has no list of keys.`)
  return json.keys as readonly TrustedKey[]
}
