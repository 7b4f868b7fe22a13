import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Io } from './io.js'

/** `tenon mcp …`: names, options and help. What a command does is loaded when it runs. */
export function addMcp(program: Command, io: Io, ended: (code: number) => void): void {
  const mcp = program
    .command('mcp')
    .summary('list, login, import, serve, bridge, tap, inspect')
    .description('Servers and hosts of the Model Context Protocol.')

  mcp
    .command('list')
    .summary('the configured servers and what they offer')
    .description('Opens every configured server and says what it speaks and offers, or why it does not.')
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .option('--tools', 'their tools as well')
    .option('--log', 'the last of what they logged')
    .option('--json', 'one JSON object a line')
    .action(async (options) => {
      const { listMcpServers } = await import('./commands/list-mcp-servers.js')
      ended(await listMcpServers(io, options))
    })

  mcp
    .command('login')
    .summary('sign in to a server')
    .description('Signs in to a configured server over HTTP. What comes back is kept sealed on this machine.')
    .argument('<server>', 'as tenon.yaml names it')
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .action(async (server: string, options) => {
      const { loginMcp } = await import('./commands/login-mcp.js')
      ended(await loginMcp(io, server, options))
    })

  mcp
    .command('logout')
    .summary('forget a sign-in')
    .description('Forgets what was kept of signing in to a server.')
    .argument('<server>', 'as tenon.yaml names it')
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .action(async (server: string, options) => {
      const { logoutMcp } = await import('./commands/login-mcp.js')
      ended(logoutMcp(io, server, options))
    })

  mcp
    .command('import')
    .summary('use the servers of Claude, Cursor or VS Code')
    .description('Says which servers other hosts have on this machine, and prints the lines for tenon.yaml.')
    .argument('[file...]', 'such as .mcp.json; absent, where the known hosts keep theirs')
    .action(async (files: string[]) => {
      const { importMcp } = await import('./commands/import-mcp.js')
      ended(await importMcp(io, files))
    })

  listening(mcp.command('serve'))
    .summary('offer an agent and its tools to MCP clients')
    .description(
      'Offers an agent, and its tools, to MCP clients of either era: over standard input and output, or over HTTP.',
    )
    .option('-a, --agent <name...>', 'these agents of tenon.yaml; absent, all of them')
    .option('-m, --model <name>', 'an alias of tenon.yaml, or provider/model')
    .option(
      '--rehearsal <file>',
      'play a written rehearsal instead of what tenon.yaml names, or where no model is to be had',
    )
    .option('--workspace <dir>', 'the folder that file tools are confined to')
    .option('--store <dir>', 'where runs are kept')
    .option('--no-tools', 'only the agents, not their tools')
    .addHelpText('after', '\nExamples:\n  tenon mcp serve\n  tenon mcp serve --http 8931 --agent reviewer')
    .action(async (options) => {
      const { serveMcp } = await import('./commands/serve-mcp.js')
      ended(await serveMcp(io, options))
    })

  listening(mcp.command('bridge'))
    .summary('offer servers of either era to clients of either era')
    .description(
      'Offers servers to clients, whatever era and transport each of them speaks. ' +
        'Absent a command and addresses: all servers of tenon.yaml, as one.',
    )
    .argument('[command...]', 'a server that speaks over its pipes, after --')
    .option('--url <url...>', 'servers that speak HTTP')
    .option('--server <name...>', 'servers of tenon.yaml')
    .addOption(era())
    .option('--audit <file>', 'a line of JSON for each call that went through')
    .option('--task-after <seconds>', 'calls that take longer become tasks, for clients that follow them', seconds)
    .addHelpText(
      'after',
      `
Examples:
  tenon mcp bridge --url https://example.com/mcp       for a client that speaks over pipes
  tenon mcp bridge --http 8931 -- python server.py     for clients that speak HTTP
  tenon mcp bridge --http --audit calls.jsonl          all servers of tenon.yaml as one`,
    )
    .action(async (command: string[], options) => {
      const { bridgeMcp } = await import('./commands/bridge-mcp.js')
      ended(await bridgeMcp(io, command, options))
    })

  mcp
    .command('inspect')
    .summary('look at a server and call it by hand')
    .description(
      'Says what a server offers; at a terminal it then calls, gets or reads what is typed, with a form for the arguments.',
    )
    .argument('[command...]', 'a server that speaks over its pipes, after --')
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .option('--url <url...>', 'a server that speaks HTTP')
    .option('--server <name...>', 'a server of tenon.yaml')
    .addOption(era())
    .option('--call <tool>', 'call this tool')
    .option('--read <uri>', 'read this resource')
    .option('--prompt <name>', 'get this prompt')
    .option('--args <json>', 'with --call or --prompt: the arguments')
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      `
Examples:
  tenon mcp inspect --url https://example.com/mcp
  tenon mcp inspect --server files --call read_text_file --args '{"path":"notes.md"}'
  tenon mcp inspect -- npx -y @modelcontextprotocol/server-everything`,
    )
    .action(async (command: string[], options) => {
      const { inspectMcp } = await import('./commands/inspect-mcp.js')
      ended(await inspectMcp(io, command, options))
    })

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

const era = (): Option =>
  new Option('--era <era>', 'speak only this era with what is named here').choices(['legacy', 'modern'])

const listening = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .addOption(
      new Option('--http [port]', 'over HTTP on 127.0.0.1; absent, over standard input and output').argParser(port),
    )
    .option('--token-from <variable>', 'with --http: clients must send the token that this variable holds')
    .option('--allow-host <name...>', 'with --http: host names that requests may be for, besides this machine')
    .option('--allow-origin <name...>', 'with --http: hosts of web pages that may ask')
    .option('--sse', 'with --http: the old HTTP+SSE transport as well, at /sse')

function seconds(text: string): number {
  const number = Number(text)
  if (!(number > 0 && number <= 3600)) throw new InvalidArgumentError('It must be a number of seconds, up to 3600.')
  return number
}

function port(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError('It must be a port, 0 to 65535.')
  return number
}
