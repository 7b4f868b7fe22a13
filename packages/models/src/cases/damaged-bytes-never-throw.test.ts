import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ModelEvent } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { byteCuts } from './byte-cuts.js'
import { readWireCase, wireCaseNames } from './wire-case.js'
import { readPieces } from './wire-cases.js'

const folder = fileURLToPath(new URL('../../../../../shared/cases/wire', import.meta.url))
const isThere = existsSync(folder)

/** What counts of the outcome: deltas may be cut as the bytes are. */
const outcome = (events: readonly ModelEvent[]) =>
  events.filter(({ kind }) => kind === 'block-ended' || kind === 'finished')

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** Cuts the end off, takes a piece out, doubles one, or puts a byte in that does not belong there. */
function damaged(body: Uint8Array, next: (below: number) => number): Uint8Array {
  const from = next(body.length)
  const to = Math.min(body.length, from + 1 + next(40))
  const [head, piece, tail] = [body.subarray(0, from), body.subarray(from, to), body.subarray(to)]
  const ways = [[head], [head, tail], [head, piece, piece, tail], [head, Uint8Array.of(next(256)), tail]]
  return Buffer.concat(ways[next(ways.length)] ?? [head])
}

test.skipIf(!isThere && process.env.CI !== 'true')(
  `damaged answers end once, and alike in every cut${isThere ? '' : ' (missing: ../shared/cases/wire)'}`,
  async () => {
    const next = numbers(7)
    for (const name of await wireCaseNames(folder)) {
      const wireCase = await readWireCase(folder, name)
      if (wireCase.body.length > 16_384) continue
      for (let round = 0; round < 8; round++) {
        const body = damaged(wireCase.body, next)
        const [whole, ...others] = byteCuts(body, undefined).map(({ pieces }) => outcome(readPieces(wireCase, pieces)))
        expect(whole?.filter(({ kind }) => kind === 'finished')).toHaveLength(1)
        expect(whole?.at(-1)?.kind).toBe('finished')
        for (const other of others) expect(other, `${name}, round ${round}`).toEqual(whole)
      }
    }
  },
)
