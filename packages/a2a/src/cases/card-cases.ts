import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@tenon/kernel'
import { canonicalCards } from '../card-client/canonical-card.js'
import { type TrustedKey, verifyCard } from '../card-client/verify-card.js'

type Expected = { readonly verifies: boolean; readonly canonicalSha256?: string }

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))

/** Verifies the cards of a folder with its `jwks.json` and compares with its `expect.json`. @returns what differed, by name */
export async function runCardCases(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { keys } = (await readJson(join(folder, 'jwks.json'))) as { keys: readonly TrustedKey[] }
  const { cards } = (await readJson(join(folder, 'expect.json'))) as { cards: Readonly<Record<string, Expected>> }
  const found = new Map<string, readonly string[]>()
  for (const [name, expected] of Object.entries(cards)) {
    const card = (await readJson(join(folder, name))) as JsonObject
    const verdict = verifyCard(card, keys)
    const [canonical = ''] = canonicalCards(card)
    const digest = createHash('sha256').update(canonical).digest('hex')
    found.set(name, [
      ...((verdict.kind === 'verified') === expected.verifies ? [] : [`wanted ${expected.verifies}: ${verdict.kind}`]),
      ...(expected.canonicalSha256 === undefined || expected.canonicalSha256 === digest
        ? []
        : [`canonical form has the digest ${digest}`]),
    ])
  }
  return found
}
