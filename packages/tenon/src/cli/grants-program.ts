import type { Command } from 'commander'
import type { Io } from './io.js'

/** `tenon grants …`: names, options and help. What a command does is loaded when it runs. */
export function addGrants(program: Command, io: Io, ended: (code: number) => void): void {
  const grants = program
    .command('grants')
    .summary('list, revoke: what you allowed for good')
    .description('Consents that outlive their run: what "always" was said to, for whom, and until when.')
    .addHelpText('after', '\nExamples:\n  tenon grants list\n  tenon grants revoke run_01m8…:t2.1/q1')
  stored(grants.command('list', { isDefault: true }))
    .description('Lists what is allowed without asking, oldest first.')
    .option('--json', 'one JSON object a line')
    .action(async (options) => {
      const { listGrants } = await import('./commands/list-grants.js')
      ended(listGrants(io, options))
    })
  stored(grants.command('revoke'))
    .description('Takes consents back: such calls ask again, also in runs under way.')
    .argument('[id...]', 'ids of tenon grants list')
    .option('--all', 'all of them')
    .action(async (ids: string[], options) => {
      const { revokeGrants } = await import('./commands/revoke-grants.js')
      ended(revokeGrants(io, ids, options))
    })
}

const stored = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .option('--store <dir>', 'where runs are kept')
