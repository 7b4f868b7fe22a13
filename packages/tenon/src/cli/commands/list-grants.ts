import type { Grant } from '@tenon/kernel'
import { EXIT } from '../exit-code.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'

/** `tenon grants list` */
export function listGrants(io: Io, options: CommonOptions & { readonly json?: boolean }): number {
  const { store } = openRuns(io, options)
  try {
    const grants = store.grants.all()
    if (options.json) for (const grant of grants) io.stdout.write(`${JSON.stringify(grant)}\n`)
    else if (grants.length === 0) io.stderr.write('Nothing is allowed beyond its run.\n')
    else io.stdout.write(table(grants.map(row)))
    return EXIT.completed
  } finally {
    store.close()
  }
}

function row({ grantId, tool, origin, pattern, expiresAt, grantedBy }: Grant): string[] {
  const until = expiresAt === undefined ? 'until taken back' : `until ${new Date(expiresAt).toISOString()}`
  return [
    grantId,
    safeText(tool),
    safeText(`${origin.kind} ${origin.name}`),
    pattern === undefined ? 'any arguments' : safeText(JSON.stringify(pattern)),
    `by ${safeText(grantedBy)}`,
    expiresAt !== undefined && expiresAt <= Date.now() ? 'ended' : until,
  ]
}
