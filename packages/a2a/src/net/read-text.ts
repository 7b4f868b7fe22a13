import type { DoorResponse } from './door.js'

/** The body as text; undefined, with the connection closed, when it is longer than `mostBytes`. */
export async function readText(response: DoorResponse, mostBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > mostBytes) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    response.close()
  }
}
