import { Argument, type Command, Option } from 'commander'
import { COUNTERPARTS } from '../scaffold/counterpart.js'
import { JOINTS, type Joint } from '../scaffold/joint.js'
import type { Io } from './io.js'

/** `tenon init` and `tenon new`: names, options and help. */
export function addScaffold(program: Command, io: Io, ended: (code: number) => void): void {
  program
    .command('init')
    .summary('write a tenon.yaml to start from')
    .description(
      'Writes a commented tenon.yaml and, if you say what your agent should work with, the joint for it with a test that passes. A file that is there is never overwritten.',
    )
    .argument('[dir]', 'where', '.')
    .addOption(
      new Option('--with <counterpart>', 'what the agent works with first; asked for on a terminal').choices(
        COUNTERPARTS,
      ),
    )
    .option('--name <name>', 'what the joint is called')
    .option('--url <address>', 'where the colleague lives, if it is not in this project')
    .addHelpText(
      'after',
      `
Counterparts:
  code       a function of this process           tenon new tool
  system     an MCP server                        tenon new mcp-server
  method     a skill, with a script               tenon new skill
  colleague  an agent here, or a peer by --url    tenon new agent, tenon new peer`,
    )
    .action(async (dir: string, options) => {
      const { initConfig } = await import('./commands/init-config.js')
      ended(await initConfig(io, dir, options))
    })

  program
    .command('new')
    .summary('make a tool, an MCP server, a skill, an agent or a peer, with a test')
    .description(
      'Makes one joint in the project of this folder, with a test that passes (node --test), and enters it in tenon.yaml. A file that is there is never overwritten.',
    )
    .addArgument(new Argument('<joint>', 'what it is').choices(JOINTS))
    .argument('<name>', 'lowercase letters, digits and hyphens')
    .option('--url <address>', 'of a peer: where its card lies')
    .addHelpText(
      'after',
      `
Examples:
  tenon new tool exchange-rate
  tenon new mcp-server orders
  tenon new skill weekly-report
  tenon new agent reviewer
  tenon new peer researcher --url https://agents.example.com`,
    )
    .action(async (joint: Joint, name: string, options) => {
      const { newJoint } = await import('./commands/new-joint.js')
      ended(await newJoint(io, joint, name, options))
    })
}
