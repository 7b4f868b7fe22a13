import { Command, InvalidArgumentError, Option } from 'commander'
import { PLANNER_NAMES } from '../config/planner-names.js'
import { readDuration } from '../config/read-duration.js'
import { addA2a } from './a2a-program.js'
import { addGrants } from './grants-program.js'
import type { Io } from './io.js'
import { addMcp } from './mcp-program.js'
import { addScaffold } from './scaffold-program.js'
import { addServe } from './serve-program.js'
import { addSkills } from './skills-program.js'

/** Told the exit code of the command that ran. */
type Ended = (code: number) => void

/**
 * The command line: names, options and help. What a command does is loaded when it runs.
 * @param first the first word of the line. Where it is a command, the others are left out: nothing of them would show.
 */
export function buildProgram(first: string | undefined, io: Io, version: string, ended: Ended): Command {
  const program = new Command('tenon')
    .description('Runs goals to results: the model proposes, you decide, and every step is kept.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(tenon --help shows what there is)')
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .addHelpText('after', EXAMPLES)
  if (first === '-V' || first === '--version') return program
  const wanted = COMMANDS.get(first ?? '')
  for (const add of wanted === undefined ? new Set(COMMANDS.values()) : [wanted]) add(program, io, ended)
  return program
}

const EXAMPLES = `
Examples:
  tenon init                                    write a tenon.yaml to start from
  tenon new skill weekly-report                 a skill with a script and a test
  tenon run "What changed in docs/ this week?"  one goal, here and now
  tenon run "Tidy the notes" --yes              approve everything that asks
  tenon runs answer last --yes                  approve what a parked run waits on
  tenon runs show last --view t2                what the model saw in turn 2
  tenon doctor                                  which model would answer, and why

Exit codes: 0 completed, 1 failed, 2 usage, 3 input required, 4 refused, 130 canceled.`

const common = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .option('--store <dir>', 'where runs are kept')
    .option('--plain', 'labelled lines without colour and redrawing')

const driving = (command: Command): Command =>
  command
    .addOption(new Option('--yes', 'approve everything that asks').conflicts('deny'))
    .addOption(new Option('--deny', 'deny everything that asks'))
    .option('--json', 'events on standard output, one JSON object a line')
    .option('--stay', 'stay while a question is open, until it is answered elsewhere')

const choosing = (command: Command): Command =>
  command
    .option('-a, --agent <name>', 'an agent of tenon.yaml')
    .option('-m, --model <name>', 'an alias of tenon.yaml, or provider/model')
    .option(
      '--rehearsal <file>',
      'play a written rehearsal instead of what tenon.yaml names, or where no model is to be had',
    )
    .option('--workspace <dir>', 'the folder that file tools are confined to')
    .addOption(new Option('--planner <name>', 'how the next step is decided').choices(PLANNER_NAMES))

/** For what stays at a terminal while it works. */
const verbose = (command: Command): Command => command.option('--verbose', 'what MCP servers log, as they log it')

function addRun(program: Command, io: Io, ended: Ended): void {
  const command = program
    .command('run')
    .summary('run one goal to its result')
    .description('Runs one goal to its result. The result goes to standard output, everything else to standard error.')
    .argument('<goal...>', 'what is wanted; - reads it from standard input')
    .option('--steps <n>', 'at most this many turns of the model', whole)
    .option('--tokens <n>', 'begin no turn past this many tokens', whole)
    .option('--money <dollars>', 'begin no turn past this cost', amount)
    .option('--wall <time>', 'at most this long at work, such as 30s, 5m or 2h', span)
    .addHelpText(
      'after',
      `
Examples:
  tenon run "Compare q1.csv with q2.csv and write report.md"
  git diff | tenon run - --agent reviewer
  tenon run "List the TODOs" --json | jq -r 'select(.kind=="call-begun").callId'`,
    )
  verbose(choosing(driving(common(command)))).action(async (goal: string[], options) => {
    const { runGoal } = await import('./commands/run-goal.js')
    ended(await runGoal(io, goal, options))
  })
}

function addChat(program: Command, io: Io, ended: Ended): void {
  const command = program
    .command('chat')
    .summary('talk: each line is a run that knows the earlier ones')
    .description('A conversation. Each line is a run that knows the earlier ones; /help lists what else can be typed.')
    .option('--continue', 'go on with the conversation of the last run')
  verbose(choosing(common(command))).action(async (options) => {
    const { chat } = await import('./commands/chat.js')
    ended(await chat(io, options))
  })
}

function addRuns(program: Command, io: Io, ended: Ended): void {
  const runs = program
    .command('runs')
    .summary('list, show, follow, resume, answer, fork, cancel, remove, export')
    .description('Runs that are kept. RUN is an id, an unambiguous beginning of one, or "last".')
    .addHelpText(
      'after',
      `
Examples:
  tenon runs list --state input-required
  tenon runs follow last --after 120
  tenon runs answer last --yes --remember run --only "path=reports/*"
  tenon runs export last --as markdown > run.md`,
    )

  common(runs.command('list', { isDefault: true }))
    .description('Lists runs, newest first.')
    .option('--state <state...>', 'only runs in these states')
    .option('--agent <name>', 'only runs of this agent')
    .option('--limit <n>', 'at most this many', whole, 20)
    .option('--all', 'runs that other runs started as well')
    .option('--open', 'the questions that runs wait on')
    .option('--json', 'one JSON object a line')
    .action(async (options) => {
      const { listRuns } = await import('./commands/list-runs.js')
      ended(await listRuns(io, options))
    })

  common(runs.command('show'))
    .description('Shows a run: its timeline, or what the model saw in one turn.')
    .argument('<run>', 'id, beginning of one, or last')
    .option('--steps', 'only the steps: layer, consent, outcome, time, tokens and cost of each')
    .option('--view <turn>', 'what the model saw in this turn, such as t3 or 3')
    .option('--full', 'the view with all of its text')
    .option('--json', 'as one JSON object')
    .action(async (run: string, options) => {
      const { showRun } = await import('./commands/show-run.js')
      ended(await showRun(io, run, options))
    })

  common(runs.command('follow'))
    .description('Shows a run as it goes on, whoever drives it, until it ends.')
    .argument('<run>', 'id, beginning of one, or last')
    .option('--after <seq>', 'only events after this one', whole, 0)
    .option('--until-parked', 'stop as well when the run waits for a person')
    .option('--json', 'events on standard output, one JSON object a line')
    .action(async (run: string, options) => {
      const { followRun } = await import('./commands/follow-run.js')
      ended(await followRun(io, run, options))
    })

  choosing(driving(common(runs.command('resume'))))
    .description('Goes on with a run that was left, whose process died, or that was parked.')
    .argument('[run]', 'id, beginning of one, or last', 'last')
    .action(async (run: string, options) => {
      const { resumeRun } = await import('./commands/resume-run.js')
      ended(await resumeRun(io, run, options))
    })

  common(runs.command('answer'))
    .description('Answers a question that a run waits on, and goes on with the run.')
    .argument('<run>', 'a run or the id of a request')
    .argument('[request]', 'the id of the request, where the run has several')
    .addOption(new Option('--yes', 'approve').conflicts(['no', 'text', 'value']))
    .addOption(new Option('--no [reason]', 'deny; the model is told the reason').conflicts(['text', 'value']))
    .addOption(new Option('--text <answer>', 'answer a question with text').conflicts('value'))
    .option('--value <json>', 'answer a question with JSON')
    .addOption(new Option('--remember <span>', 'with --yes: for later calls too').choices(['run', 'always']))
    .option('--only <pattern>', 'with --remember: only for such arguments, like path=reports/*')
    .option('--args <json>', 'with --yes: these arguments instead')
    .addOption(new Option('--leave', 'only answer; somebody else goes on with the run').conflicts('args'))
    .option('--json', 'events on standard output, one JSON object a line')
    .action(async (run: string, request: string | undefined, options) => {
      const { answerRun } = await import('./commands/answer-run.js')
      ended(await answerRun(io, run, request, options))
    })

  choosing(driving(common(runs.command('fork'))))
    .description('Begins a new run as another one stood after an event, and goes on with it. Nothing is done twice.')
    .argument('<run>', 'id, beginning of one, or last')
    .argument('<seq>', 'the last event that both have in common', whole)
    .action(async (run: string, seq: number, options) => {
      const { forkRun } = await import('./commands/fork-run.js')
      ended(await forkRun(io, run, seq, options))
    })

  common(runs.command('cancel'))
    .description('Cancels a run, whoever drives it.')
    .argument('<run>', 'id, beginning of one, or last')
    .option('--reason <text>', 'kept in the journal')
    .action(async (run: string, options) => {
      const { cancelRun } = await import('./commands/cancel-run.js')
      ended(await cancelRun(io, run, options))
    })

  common(runs.command('remove'))
    .description('Removes a run that has ended, with its sub-runs and what only they refer to.')
    .argument('<run>', 'id, beginning of one, or last')
    .action(async (run: string, options) => {
      const { removeRun } = await import('./commands/remove-run.js')
      ended(await removeRun(io, run, options))
    })

  common(runs.command('export'))
    .description('Writes a run to standard output.')
    .argument('<run>', 'id, beginning of one, or last')
    .addOption(new Option('--as <form>', 'how').choices(['ndjson', 'markdown']).default('ndjson'))
    .action(async (run: string, options) => {
      const { exportRun } = await import('./commands/export-run.js')
      ended(await exportRun(io, run, options))
    })
}

function addModels(program: Command, io: Io, ended: Ended): void {
  const models = program.command('models').summary('list, add, remove models').description('Models that can answer.')
  common(models.command('list', { isDefault: true }))
    .description('Lists the models of the configuration, of the servers on this machine, and those that are installed.')
    .option('--json', 'one JSON object a line')
    .action(async (options) => {
      const { listModelsHere } = await import('./commands/list-models-here.js')
      ended(await listModelsHere(io, options))
    })
  common(models.command('add'))
    .description('Sets up a model that runs in this process.')
    .argument('<source>', 'a name of the catalogue, a file, or an address')
    .option('--as <name>', 'call it so')
    .option('--sha256 <digest>', 'refuse the file unless it has this digest')
    .option('--yes', 'do not ask before a large download')
    .addHelpText('after', '\nExamples:\n  tenon models add qwen3-1.7b\n  tenon models add ./model.gguf --as mine')
    .action(async (source: string, options) => {
      const { addLocalModel } = await import('./commands/add-local-model.js')
      ended(await addLocalModel(io, source, options))
    })
  common(models.command('remove'))
    .description('Takes a model off this machine.')
    .argument('<name>', 'as tenon models lists it')
    .action(async (name: string) => {
      const { removeLocalModel } = await import('./commands/remove-local-model.js')
      ended(await removeLocalModel(io, name))
    })
}

function addDoctor(program: Command, io: Io, ended: Ended): void {
  choosing(common(program.command('doctor')))
    .summary('what works here, and what stands on the wrong layer')
    .description(
      'Starts and asks everything that the project names: models, MCP servers, skills, peers, sandbox. Says what does not work, and what would stand better on another layer.',
    )
    .option('--show-config', 'the configuration that holds here, without secrets')
    .option('--json', 'as one JSON object')
    .option('--strict', 'a warning fails as well')
    .addHelpText(
      'after',
      '\nExit codes: 0 everything works, 1 something does not (or, with --strict, is warned of), 2 usage.',
    )
    .action(async (options) => {
      const { doctor } = await import('./commands/doctor.js')
      ended(await doctor(io, options))
    })
}

/** In the order of the help. */
const COMMANDS: ReadonlyMap<string, (program: Command, io: Io, ended: Ended) => void> = new Map([
  ['run', addRun],
  ['chat', addChat],
  ['runs', addRuns],
  ['grants', addGrants],
  ['models', addModels],
  ['mcp', addMcp],
  ['serve', addServe],
  ['a2a', addA2a],
  ['skills', addSkills],
  ['doctor', addDoctor],
  ['init', addScaffold],
  ['new', addScaffold],
])

function whole(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0) throw new InvalidArgumentError('It must be a whole number.')
  return number
}

function span(text: string): number {
  const ms = readDuration(text)
  if (ms === undefined) throw new InvalidArgumentError('It must be a time such as 30s, 5m or 2h.')
  return ms
}

function amount(text: string): number {
  const number = Number(text)
  if (!(number >= 0 && Number.isFinite(number)) || text.trim() === '')
    throw new InvalidArgumentError('It must be a number.')
  return number
}
