import { type Command, InvalidArgumentError } from 'commander'
import type { Io } from './io.js'

/** `tenon serve`: names, options and help. What it does is loaded when it runs. */
export function addServe(program: Command, io: Io, ended: (code: number) => void): void {
  program
    .command('serve')
    .summary('offer public agents to others: over A2A, over MCP and as models')
    .description(
      'Offers the agents that tenon.yaml marks as public, on one port: to other agents over A2A, as tools over MCP, and as models of the OpenAI API. What clients begin is a run: it outlives this process, is taken up when it comes back, and is followed, answered and forked over the run API (GET /openapi.json).',
    )
    .option('--port <n>', 'listen on this port, 0 for any free one', port, 4100)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .option('-m, --model <name>', 'an alias of tenon.yaml, or provider/model')
    .option(
      '--rehearsal <file>',
      'play a written rehearsal instead of what tenon.yaml names, or where no model is to be had',
    )
    .option('--workspace <dir>', 'the folder that file tools are confined to')
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .option('--store <dir>', 'where runs are kept')
    .addHelpText('after', '\nExamples:\n  tenon serve\n  tenon serve --host 0.0.0.0 --port 443')
    .action(async (options) => {
      const { serve } = await import('./commands/serve.js')
      ended(await serve(io, options))
    })
}

function port(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number
  throw new InvalidArgumentError('It must be a port, from 0 to 65535.')
}
