/**
 * What `npm run bench` asks of a `bench/NAME/bench.mjs`: `bench(options)`, and `needsPeers(wanted)`, whether what was
 * asked for is measured beside what `bench/peers` installs.
 *
 * @typedef {object} Row
 * @property {string} case
 * @property {string} subject `tenon`, or the name of a peer or of a floor
 * @property {number} value the best round's median
 * @property {string} unit
 * @property {number} [worst] the worst round's median: the measure of noise
 *
 * @typedef {object} BenchOptions
 * @property {number} rounds
 * @property {(name: string) => boolean} wanted whether a case was asked for
 * @property {(row: Row) => void} report
 * @property {(text: string) => void} note what could not be measured, and why
 *
 * @typedef {(options: BenchOptions) => Promise<void>} Bench
 */

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
