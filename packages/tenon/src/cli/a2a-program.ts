import type { Command } from 'commander'
import type { Io } from './io.js'

const OUT = 'save the files that it hands over in this folder'

/** `tenon a2a …`: names, options and help. What a command does is loaded when it runs. */
export function addA2a(program: Command, io: Io, ended: (code: number) => void): void {
  const a2a = program
    .command('a2a')
    .summary('card, send, tasks, answer, cancel, watch: talk to any A2A agent; dead-letters: webhooks of ours')
    .description(
      'A client for agents that speak A2A. PEER is a name of tenon.yaml, the address of a card, or of a server.',
    )
    .addHelpText(
      'after',
      `
Examples:
  tenon a2a card https://agents.example.com
  tenon a2a send http://127.0.0.1:4000 "Summarise the minutes" --file minutes.txt
  tenon a2a answer researcher 1f0c… "The blue one"
  tenon a2a watch researcher 1f0c…`,
    )
  const at = (command: Command): Command =>
    command
      .argument('<peer>', 'a name of tenon.yaml, or an address')
      .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
      .option('--header <line...>', 'sent with each request, such as "Authorization: Bearer …"')
      .option('--json', 'JSON on standard output')

  at(a2a.command('card'))
    .description('Fetches the card of an agent, verifies it, and explains how it would be spoken to.')
    .option('--keys <file>', 'a JWK set of keys that are trusted')
    .action(async (peer: string, options) => {
      const { a2aCard } = await import('./commands/a2a-card.js')
      ended(await a2aCard(io, peer, options))
    })

  at(a2a.command('send'))
    .description('Sends a message and follows the task to its end, or to a question. Leaving does not cancel it.')
    .argument('<text...>', 'what is wanted; - reads it from standard input')
    .option('--task <id>', 'to this task, in place of a new one')
    .option('--context <id>', 'in this context')
    .option('--file <file...>', 'goes along')
    .option('--out <dir>', OUT)
    .action(async (peer: string, text: string[], options) => {
      const { a2aSend } = await import('./commands/a2a-send.js')
      ended(await a2aSend(io, peer, text, options))
    })

  at(a2a.command('answer'))
    .description('Answers what a task asks, and follows it.')
    .argument('<task>', 'id of the task')
    .argument('<text...>', 'the answer')
    .option('--out <dir>', OUT)
    .action(async (peer: string, task: string, text: string[], options) => {
      const { a2aAnswer } = await import('./commands/a2a-answer.js')
      ended(await a2aAnswer(io, peer, task, text, options))
    })

  at(a2a.command('watch'))
    .description('Follows a task to its end, or to a question.')
    .argument('<task>', 'id of the task')
    .option('--out <dir>', OUT)
    .action(async (peer: string, task: string, options) => {
      const { a2aWatch } = await import('./commands/a2a-watch.js')
      ended(await a2aWatch(io, peer, task, options))
    })

  at(a2a.command('tasks'))
    .description('Lists our tasks at an agent, the last one to move first.')
    .option('--context <id>', 'only of this context')
    .option('--state <state>', 'only in this state, such as working or input-required')
    .action(async (peer: string, options) => {
      const { a2aTasks } = await import('./commands/a2a-tasks.js')
      ended(await a2aTasks(io, peer, options))
    })

  at(a2a.command('cancel'))
    .description('Cancels a task.')
    .argument('<task>', 'id of the task')
    .action(async (peer: string, task: string, options) => {
      const { a2aCancel } = await import('./commands/a2a-cancel.js')
      ended(await a2aCancel(io, peer, task, options))
    })

  const dead = a2a
    .command('dead-letters')
    .description('What webhooks were not told about tasks of the agents that are served here.')
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .option('--store <folder>', 'where runs are kept')
    .option('--json', 'one JSON object a line on standard output')
  dead
    .command('list', { isDefault: true })
    .description('Lists them, the oldest first.')
    .action(async () => {
      const { listDeadLetters } = await import('./commands/a2a-dead-letters.js')
      ended(await listDeadLetters(io, dead.opts()))
    })
  dead
    .command('replay')
    .description('Tries them again.')
    .argument('[number...]', 'which; all if absent')
    .action(async (numbers: string[]) => {
      const { replayDeadLetters } = await import('./commands/a2a-dead-letters.js')
      ended(await replayDeadLetters(io, numbers, dead.opts()))
    })
}
