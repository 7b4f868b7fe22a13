import { hops } from './hops.mjs'
import { idleSessions } from './idle-sessions.mjs'
import { manyUpstreams } from './many-upstreams.mjs'

/** The plain SDK that is measured beside is a dependency of the package. */
export const needsPeers = () => false

/**
 * The bridge beside a proxy that is written on the plain SDK.
 *
 * @type {import('../bench-contract.mjs').Bench}
 */
export async function bench(options) {
  await hops(options)
  await manyUpstreams(options)
  await idleSessions(options)
}
