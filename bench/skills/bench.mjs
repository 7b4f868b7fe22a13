import { loadAndSearch } from './load-and-search.mjs'

export const needsPeers = () => false

/**
 * Skills: loading and finding 3,000 of them.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench(options) {
  await loadAndSearch(options)
}
