import { HostError } from '../../errors.js'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { safeText } from '../printer/safe-text.js'

/** `tenon grants revoke` */
export function revokeGrants(
  io: Io,
  ids: readonly string[],
  options: CommonOptions & { readonly all?: boolean },
): number {
  const { store } = openRuns(io, options)
  try {
    const known = store.grants.all()
    const meant = options.all ? known.map(({ grantId }) => grantId) : ids
    if (!options.all && ids.length === 0)
      throw new HostError('usage', 'Say which: an id of tenon grants list, or --all.')
    const unknown = meant.filter((id) => !known.some(({ grantId }) => grantId === id))
    if (unknown.length > 0)
      throw new HostError(
        'usage',
        `There is no grant ${safeText(unknown.join(', '))}; nothing was taken back. tenon grants list shows what there is.`,
      )
    for (const id of meant) store.grants.revoke(id)
    io.stderr.write(`${meant.length === 1 ? '1 grant' : `${meant.length} grants`} taken back. Such calls ask again.\n`)
    return EXIT.completed
  } finally {
    store.close()
  }
}
