import { CardSigner } from '@tenon/a2a'
import type { ServeConfig } from '../config/config-table.js'
import type { ServeKeys } from './serve-keys.js'

export const KEY_SET_PATH = '/.well-known/jwks.json'

/** The key of this store, as it signs what webhooks are told; undefined where they are told unsigned. */
export function webhookSigner({ push, url: own }: ServeConfig, keys: ServeKeys, url = own): CardSigner | undefined {
  if (push?.sign !== true) return undefined
  return new CardSigner(keys.cardKey, keys.cardKeyId, url === undefined ? undefined : `${url}${KEY_SET_PATH}`)
}
