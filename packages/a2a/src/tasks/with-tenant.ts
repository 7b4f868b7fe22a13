import type { Caller } from './caller.js'
import type { ExposedAgent } from './exposed-agent.js'
import { invalid } from './invalid-field.js'

/** The caller under the tenant that a request names. @throws A2AError `a2a-invalid-params` for one that is none */
export function withTenant({ tenants }: ExposedAgent, caller: Caller, named: unknown): Caller {
  if (typeof named !== 'string' || named === '') return caller
  if (tenants?.includes(named) !== true) throw invalid('tenant', 'is none of this agent')
  return { ...caller, tenant: named }
}
