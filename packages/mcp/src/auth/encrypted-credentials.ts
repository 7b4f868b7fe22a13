import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpError } from '../errors.js'
import type { CredentialStore, Credentials } from './credentials.js'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Credentials in a folder, one file each, sealed with AES-256-GCM under a key of its own file that only the user may
 * read. What stands in a backup or a shared folder without the key is worth nothing. @throws McpError
 * `mcp-config-invalid` when a file was changed or belongs to another key
 */
export function encryptedCredentials(folder: string): CredentialStore {
  const fileOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.bin`)
  return {
    load(key) {
      const sealed = readIfThere(fileOf(key))
      return sealed === undefined ? undefined : open(sealed, keyIn(folder), key)
    },
    save(key, credentials) {
      const secret = keyIn(folder)
      const aside = `${fileOf(key)}.${process.pid}`
      writeFileSync(aside, seal(credentials, secret, key), { mode: 0o600 })
      renameSync(aside, fileOf(key))
    },
    forget(key) {
      rmSync(fileOf(key), { force: true })
    },
  }
}

function keyIn(folder: string): Buffer {
  const file = join(folder, 'key')
  const known = readIfThere(file)
  if (known?.length === KEY_BYTES) return known
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const fresh = randomBytes(KEY_BYTES)
    writeFileSync(file, fresh, { mode: 0o600, flag: 'wx' })
    return fresh
  } catch (error) {
    // Another process was first.
    const theirs = readIfThere(file)
    if (theirs?.length === KEY_BYTES) return theirs
    throw error
  }
}

function seal(credentials: Credentials, secret: Buffer, key: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(key))
  const body = Buffer.concat([cipher.update(JSON.stringify(credentials), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

function open(sealed: Buffer, secret: Buffer, key: string): Credentials {
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(key)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const body = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(body.toString('utf8')) as Credentials
  } catch {
    throw new McpError(
      'mcp-config-invalid',
      'What was kept of signing in cannot be opened: it was changed, or its key was replaced. Sign in again.',
    )
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  }
}
