import { createHash, timingSafeEqual } from 'node:crypto'

/** What a secret opens: an owner, who may be known and yet allowed nothing. */
export type TokenEntry = { readonly token: string; readonly owner: string; readonly allowed?: boolean }

/** Secrets and whose they are. A look-up takes the same time whether and where a secret is found. */
export class TokenTable {
  readonly #rows: readonly { readonly digest: Buffer; readonly entry: TokenEntry }[]

  constructor(entries: readonly TokenEntry[]) {
    this.#rows = entries.map((entry) => ({ digest: digest(entry.token), entry }))
  }

  find(token: string): TokenEntry | undefined {
    const wanted = digest(token)
    let found: TokenEntry | undefined
    for (const row of this.#rows) if (timingSafeEqual(row.digest, wanted)) found ??= row.entry
    return found
  }
}

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()
