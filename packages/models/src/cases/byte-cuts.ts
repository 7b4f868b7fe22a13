export type ByteCut = { readonly name: string; readonly pieces: readonly Uint8Array[] }

/** One byte at a time is tried up to this length: more of it shows nothing new and takes long. */
const MOST_SINGLE_BYTES = 64 * 1024

/** The ways in which a body is cut for a case: as it arrived, whole, byte by byte, and some that repeat from run to run. */
export function byteCuts(body: Uint8Array, arrived: readonly number[] | undefined): ByteCut[] {
  const cuts: ByteCut[] = [{ name: 'whole', pieces: [body] }]
  if (arrived !== undefined) cuts.push({ name: 'as it arrived', pieces: cut(body, (at) => arrived[at] ?? body.length) })
  if (body.length <= MOST_SINGLE_BYTES) cuts.push({ name: 'byte by byte', pieces: cut(body, () => 1) })
  for (const seed of [1, 2, 3]) {
    const random = generator(seed)
    const most = seed === 1 ? 7 : seed === 2 ? 64 : 1024
    const least = body.length > MOST_SINGLE_BYTES ? 512 : 1
    cuts.push({ name: `in random pieces ${seed}`, pieces: cut(body, () => least + Math.floor(random() * most)) })
  }
  return cuts
}

function cut(body: Uint8Array, lengthOf: (piece: number) => number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < body.length; ) {
    const length = Math.max(1, lengthOf(pieces.length))
    pieces.push(body.subarray(at, at + length))
    at += length
  }
  return pieces
}

/** mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
