export { collectBody } from './collect-body.js'
export { pinnedLookup } from './pinned-lookup.js'
export { isPublicAddress } from './public-address.js'
