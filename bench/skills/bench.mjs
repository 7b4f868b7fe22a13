import { loadAndSearch } from './load-and-search.mjs'
import { SANDBOX_CASES, sandboxStart } from './sandbox-start.mjs'

/** @param {(name: string) => boolean} wanted */
export const needsPeers = (wanted) => SANDBOX_CASES.some(([name]) => wanted(name))

/**
 * Skills: loading and finding 3,000 of them, and starting their scripts.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench(options) {
  await loadAndSearch(options)
  await sandboxStart(options)
}
