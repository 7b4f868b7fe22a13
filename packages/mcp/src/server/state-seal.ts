import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { canonicalJson, type Json, type JsonObject } from '@tenon/kernel'
import { rpcError } from '../errors.js'
import { RPC } from './rpc-reply.js'

/** What a sealed state can be used for: the same principal, the same method, the same target and arguments. */
export type SealBinding = { readonly principal: string; readonly method: string; readonly params: JsonObject }

const VERSION = 't1.'
const NONCE = 12
const TAG = 16

/**
 * Seals what passes through a client and comes back: AES-256-GCM, so that it can be neither read nor changed, with an
 * end and bound to one principal and one call. Another process opens it if it has the same key.
 */
export class StateSeal {
  readonly #key: Buffer
  readonly #ttlMs: number
  readonly #now: () => number

  /** `key`: 32 bytes; absent, a new one that dies with this process. */
  constructor(ttlMs: number, key: Uint8Array = randomBytes(32), now: () => number = Date.now) {
    this.#key = Buffer.from(key)
    this.#ttlMs = ttlMs
    this.#now = now
  }

  seal(state: Json, binding: SealBinding): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(digest(binding))
    const body = Buffer.concat([cipher.update(JSON.stringify([this.#now() + this.#ttlMs, state])), cipher.final()])
    return VERSION + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
  }

  /** @throws McpError `mcp-rpc-error` -32602 when it was changed, has expired or belongs to another call or principal */
  open(sealed: string, binding: SealBinding): Json {
    const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
    if (!sealed.startsWith(VERSION) || bytes.length < NONCE + TAG) throw refused()
    let text: string
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE))
      decipher.setAAD(digest(binding))
      decipher.setAuthTag(bytes.subarray(-TAG))
      text = decipher.update(bytes.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      throw refused()
    }
    const [expires, state] = JSON.parse(text) as [number, Json]
    if (expires < this.#now()) throw refused()
    return state
  }
}

function digest({ principal, method, params }: SealBinding): Buffer {
  const { _meta, inputResponses, requestState, ...bound } = params
  return createHash('sha256')
    .update(canonicalJson([principal, method, bound]))
    .digest()
}

/** One answer for every reason, so that nothing can be learned by trying. */
const refused = (): Error =>
  rpcError(RPC.invalidParams, 'requestState is not valid for this request. Start again without it.', {
    reason: 'invalid_request_state',
  })
