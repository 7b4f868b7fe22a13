import type { IncomingMessage } from 'node:http'
import type { Json } from '@tenon/kernel'
import { A2AError } from '../errors.js'
import { ANONYMOUS, type Caller } from '../tasks/caller.js'

/** Who a request comes from, as one scheme sees it. */
export type Verdict =
  | { readonly kind: 'caller'; readonly owner: string; readonly scopes?: readonly string[] }
  /** Known, and not allowed to do anything here. */
  | { readonly kind: 'forbidden' }
  /** No credential of this scheme, or a wrong one. */
  | { readonly kind: 'unknown' }

/** One way for callers to say who they are. */
export type AccessScheme = {
  /** Its name in the card. */
  readonly name: string
  /** Its entry in the card's `securitySchemes`. */
  readonly declaration: Json
  /** For `WWW-Authenticate`. */
  readonly challenge: string
  judge(request: IncomingMessage): Promise<Verdict> | Verdict
}

/** The schemes of which a caller must satisfy one; everybody may come in where there are none. */
export class Access {
  constructor(
    readonly schemes: readonly AccessScheme[],
    /** Whether a caller that is known, with the scopes of its token, may do anything here; absent: it may. */
    readonly allows: (owner: string, scopes?: readonly string[]) => boolean = () => true,
  ) {}

  get challenge(): string {
    return this.schemes.map(({ challenge }) => challenge).join(', ')
  }

  /** @throws A2AError `a2a-unauthenticated`, `a2a-forbidden` */
  async authenticate(request: IncomingMessage): Promise<Caller> {
    if (this.schemes.length === 0) return ANONYMOUS
    let isKnown = false
    for (const scheme of this.schemes) {
      const verdict = await scheme.judge(request)
      if (verdict.kind === 'caller' && this.allows(verdict.owner, verdict.scopes))
        return {
          owner: verdict.owner,
          authenticated: true,
          ...(verdict.scopes === undefined ? {} : { tokenScopes: verdict.scopes }),
        }
      isKnown ||= verdict.kind !== 'unknown'
    }
    if (isKnown) throw new A2AError('a2a-forbidden', 'You may not do this here.')
    throw new A2AError('a2a-unauthenticated', 'Say who you are, by one of the schemes in the Agent Card.')
  }
}
