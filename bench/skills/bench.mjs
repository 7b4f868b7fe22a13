import { loadAndSearch } from './load-and-search.mjs'
import { CPU_CASE, SANDBOX_CASES, sandboxStart } from './sandbox-start.mjs'

/** @param {(name: string) => boolean} wanted */
export const needsPeers = (wanted) => [CPU_CASE, ...SANDBOX_CASES.map(([name]) => name)].some(wanted)

/**
 * Skills: loading and finding 3,000 of them, and starting their scripts.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench(options) {
  await loadAndSearch(options)
  await sandboxStart(options)
}
