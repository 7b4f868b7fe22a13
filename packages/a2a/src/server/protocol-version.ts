import { A2AError } from '../errors.js'
import type { Era } from './era.js'
import { ERA_0_3 } from './v0-3/era-0-3.js'
import { ERA_1_0 } from './v1-0/era-1-0.js'

const ERAS = new Map<string, Era>([ERA_1_0, ERA_0_3].map((era) => [era.version, era]))

/**
 * The version that a request names in header or query (specification, section 3.6); none means 0.3, and patch numbers
 * say nothing. @throws A2AError `a2a-version-not-supported`
 */
export function eraOf(header: string | undefined, query: string | null, served: readonly Era['version'][]): Era {
  const named = header?.trim() || query?.trim() || '0.3'
  const version = /^(\d+\.\d+)(\.\d+)*$/.exec(named)?.[1]
  const era = version === undefined ? undefined : ERAS.get(version)
  if (era !== undefined && served.includes(era.version)) return era
  throw new A2AError(
    'a2a-version-not-supported',
    `Version ${named.slice(0, 20)} is not served here; there is ${served.join(' and ')}.`,
  )
}
