import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { A2AError } from '../errors.js'

const NONCE = 12
const TAG = 16

/** Keeps secrets that have to be used again out of the store in clear: AES-256-GCM under a key that lies elsewhere. */
export class SecretSeal {
  readonly #key: Uint8Array

  /** @throws A2AError `a2a-key-unusable` unless the key has 32 bytes */
  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new A2AError('a2a-key-unusable', 'The key that seals secrets must have 32 bytes.')
    this.#key = key
  }

  seal(secret: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** @throws A2AError `a2a-key-unusable` for what another key has sealed */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE))
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new A2AError(
        'a2a-key-unusable',
        'A sealed secret does not open: the key has changed. Set the push configuration again.',
        { cause },
      )
    }
  }
}
