import { HostError } from '../errors.js'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'latin1'

const SNIFFED = 8_192

/** NUL does not occur in text: a file that has one near its beginning is not text. */
export const looksBinary = (head: Uint8Array): boolean => head.subarray(0, SNIFFED).includes(0)

/**
 * Bytes as text, exactly: a byte order mark stays in it, and nothing is replaced.
 * @throws HostError `file-not-text` with the place of the first wrong byte and what to try
 */
export function decodeText(bytes: Uint8Array, shown: string, encoding: TextEncoding = 'utf-8', offset = 0): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const at = encoding === 'utf-8' ? offset + firstInvalid(bytes) : undefined
    throw new HostError(
      'file-not-text',
      `${JSON.stringify(shown)} is not valid ${encoding.toUpperCase()}${at === undefined ? '' : ` (byte ${at})`}. ` +
        'If it is text in an older encoding, read_file with encoding "latin1" shows it; otherwise leave it alone.',
      { detail: { path: shown, ...(at === undefined ? {} : { byte: at }) } },
    )
  }
}

/**
 * How long the beginning is that can still become UTF-8, of bytes that are none. Found by halving: decoding is native and
 * fast, a loop over code points is not.
 */
export function firstInvalid(bytes: Uint8Array): number {
  let valid = 0
  let invalid = bytes.length
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isValidBeginning(bytes.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  return valid
}

function isValidBeginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** A lone half of a surrogate pair would be written as a replacement character. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
