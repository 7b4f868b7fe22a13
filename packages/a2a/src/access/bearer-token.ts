import type { IncomingMessage } from 'node:http'

/** The token of `Authorization: Bearer …`; undefined for any other header. */
export function bearerToken({ headers }: IncomingMessage): string | undefined {
  return /^bearer +([\w.~+/=-]+)$/i.exec(headers.authorization ?? '')?.[1]
}
