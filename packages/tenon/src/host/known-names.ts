import { COMPATIBLE_PROVIDER, LOCAL_PROVIDER, LOCAL_SERVERS, PROVIDERS } from '@tenon/models'
import { PEER_TOOL_NAMES } from '../a2a/peer-tool-names.js'
import type { KnownNames } from '../config/check-references.js'
import { SKILL_TOOL_NAMES } from '../skills/skill-tool-names.js'
import { BUILTIN_TOOL_NAMES } from './builtin-tool-names.js'

/** The provider name of a model that plays a written rehearsal. */
export const REHEARSAL_PROVIDER = 'rehearsal'

/** What a configuration may name without defining it. */
export const knownNames = (): KnownNames => ({
  tools: [...BUILTIN_TOOL_NAMES, ...SKILL_TOOL_NAMES, ...PEER_TOOL_NAMES, 'deliver_artifact', 'run_command'],
  keyed: PROVIDERS.map(({ id }) => id),
  providers: [
    ...PROVIDERS.map(({ id }) => id),
    ...LOCAL_SERVERS.map(({ id }) => id),
    LOCAL_PROVIDER,
    COMPATIBLE_PROVIDER,
    REHEARSAL_PROVIDER,
  ],
})
