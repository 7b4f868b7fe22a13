import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '@tenon/kernel'
import type { SendRequest } from './requests.js'

/** What must be the same when a request is repeated with its key. The message id may differ: clients make a new one. */
export function sendDigest({ message: { messageId: _, ...message } }: SendRequest): string {
  return createHash('sha256')
    .update(canonicalJson(message as unknown as Json))
    .digest('hex')
}
