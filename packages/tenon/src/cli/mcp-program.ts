import { type Command, InvalidArgumentError } from 'commander'
import type { Io } from './io.js'

/** `tenon mcp …`: names, options and help. What a command does is loaded when it runs. */
export function addMcp(program: Command, io: Io, ended: (code: number) => void): void {
  const mcp = program
    .command('mcp')
    .summary('tap: see and record what a host and an MCP server say')
    .description('Servers and hosts of the Model Context Protocol.')

  mcp
    .command('tap')
    .summary('record what a host and a server say to each other')
    .description(
      'Stands between a host and a server and records what they say. Everything passes byte for byte; ' +
        'secrets are masked in what is recorded.',
    )
    .argument('[command...]', 'a server that speaks over its pipes, after --')
    .option('--url <url>', 'a server that speaks HTTP, instead of a command')
    .option('--port <n>', 'with --url: listen on this port of 127.0.0.1', port)
    .option('--log <file>', 'where it is recorded, one JSON object a line')
    .option('--method <name...>', 'only these methods; * stands for any characters')
    .option('--show', 'show it live on standard error (with --url it always is)')
    .addHelpText(
      'after',
      `
Examples:
  tenon mcp tap -- npx -y @modelcontextprotocol/server-everything
  tenon mcp tap --url https://example.com/mcp --port 8931
  tenon mcp tap --log traffic.jsonl --method "tools/*" -- node server.js`,
    )
    .action(async (command: string[], options) => {
      const { tapMcp } = await import('./commands/tap-mcp.js')
      ended(await tapMcp(io, command, options))
    })
}

function port(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError('It must be a port, 0 to 65535.')
  return number
}
