import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CardSigner } from '@tenon/a2a'
import type { JsonObject } from '@tenon/kernel'
import { sortableId } from '@tenon/kernel'
import { HostError } from '../errors.js'

export type ServeKeys = {
  /** 32 bytes that seal secrets of callers. */
  readonly seal: Uint8Array
  readonly cardKey: JsonObject
  readonly cardKeyId: string
}

const FILE = 'serve-keys.json'

/**
 * The keys of a store, made when they are first needed: beside the database and readable by its user only, so that a
 * copy of the database alone opens nothing. @throws HostError `config-invalid` when the file cannot be used
 */
export function serveKeys(dir: string): ServeKeys {
  const file = join(dir, FILE)
  const known = read(file)
  if (known !== undefined) return known
  const made = { seal: randomBytes(32).toString('base64url'), cardKey: CardSigner.newKey(), cardKeyId: sortableId() }
  // Two processes may come here at once; the first one's keys count.
  const draft = join(dir, `.${FILE}-${process.pid}-${sortableId()}`)
  writeFileSync(draft, JSON.stringify(made), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const kept = read(file)
  if (kept === undefined) throw unusable(file)
  return kept
}

function read(file: string): ServeKeys | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, error)
  }
  try {
    const { seal, cardKey, cardKeyId } = JSON.parse(text) as Omit<ServeKeys, 'seal'> & { readonly seal: string }
    const bytes = Buffer.from(seal, 'base64url')
    if (bytes.length === 32 && typeof cardKeyId === 'string') return { seal: bytes, cardKey, cardKeyId }
  } catch (cause) {
    throw unusable(file, cause)
  }
  throw unusable(file)
}

const unusable = (file: string, cause?: unknown): HostError =>
  new HostError(
    'config-invalid',
    `${file} holds no keys. Move it away to have new ones made; webhooks must be set anew then.`,
    { cause },
  )
