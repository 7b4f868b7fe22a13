import type { Clock } from '@tenon/kernel'
import { PeerError } from '../peer/peer-error.js'
import type { DoorResponse } from './door.js'

export type TextBounds = {
  readonly mostBytes: number
  /** Milliseconds for the whole body: a peer that sends a byte now and then would else be waited for without end. */
  readonly withinMs: number
  readonly clock: Clock
  /** Whose answer it is, for the message. */
  readonly peer: string
}

/**
 * The body as text; undefined, with the connection closed, when it is longer than `mostBytes`.
 * @throws PeerError `peer-unavailable` when it does not end in time
 */
export async function readText(response: DoorResponse, bounds: TextBounds): Promise<string | undefined> {
  const { mostBytes, withinMs, clock, peer } = bounds
  const chunks: Uint8Array[] = []
  let size = 0
  let isLate = false
  const forget = clock.after(withinMs, () => {
    isLate = true
    response.close()
  })
  try {
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > mostBytes) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if (!isLate) throw error
    throw new PeerError('peer-unavailable', `${peer} did not finish its answer in time.`, { mayHaveRun: true })
  } finally {
    forget()
    response.close()
  }
}
