import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** Of this program, as its package says it. */
export const TENON_VERSION = version
