import {
  type ContextId,
  ContextId as contextId,
  isTenonError,
  plainText,
  sortableId,
  type UserMessage,
} from '@tenon/kernel'
import { HostError } from '../../errors.js'
import { conversation } from '../../host/conversation.js'
import type { Host } from '../../host/host.js'
import { limitsWithoutPrices } from '../../host/limits-without-prices.js'
import { openHost } from '../../host/open-host.js'
import { completeChat } from '../chat-completion.js'
import { ChatLines } from '../chat-lines.js'
import { attachTyped, pickedPrompt, showServers } from '../chat-servers.js'
import { driveRun } from '../drive-run.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, isInteractive } from '../io.js'
import { openRuns } from '../open-runs.js'
import { safeText } from '../printer/safe-text.js'
import { serverLog } from '../printer/server-log.js'
import { table } from '../printer/table.js'
import { spokenTime } from '../printer/words.js'
import { reportError } from '../report-error.js'
import { tellStart } from '../tell-start.js'
import { whileWaiting } from '../while-waiting.js'
import type { ChoosingOptions, VerboseOptions } from './run-goal.js'

export type ChatOptions = CommonOptions & ChoosingOptions & VerboseOptions & { readonly continue?: boolean }

const HELP = [
  '/help   this list',
  '/runs   the runs of this conversation',
  '/model  which model answers, and why; /model NAME takes another one',
  '/skills what can be started by its name; /NAME starts it, with anything behind it',
  '/mcp    servers and their prompts; /SERVER:PROMPT picks one, /attach SERVER:ADDRESS a resource; Tab completes',
  '/new    forget what was said and begin again',
  '/quit   leave (Ctrl-D does the same)',
  'While a run works: type a line to tell it something; Ctrl-C cancels it.',
]

/** `tenon chat` */
export async function chat(io: Io, options: ChatOptions): Promise<number> {
  const lines = new ChatLines(io)
  let host = await open(io, options)
  try {
    host.requireModel()
    let context = options.continue ? lastContext(host) : newContext()
    if (isInteractive(io)) io.stderr.write(`${host.decision.choice?.name ?? ''}. /help lists what can be typed.\n`)
    tellStart(host, io, options)
    for (;;) {
      const typed = await lines.next((line) => completeChat(host, line, [...COMMANDS]))
      if (typed === undefined) return EXIT.completed
      const goal = typed.trim()
      if (goal === '') continue
      if (!goal.startsWith('/') || namesSkill(host, goal)) {
        await answer(io, options, host, context, goal, lines)
        continue
      }
      const [command = '', ...rest] = goal.slice(1).split(/\s+/)
      if (command.includes(':')) {
        const picked = await pickedPrompt(io, host, goal, lines)
        if (picked !== undefined) await answer(io, options, host, context, picked, lines)
        continue
      }
      switch (command) {
        case 'quit':
        case 'exit':
        case 'q':
          return EXIT.completed
        case 'help':
          for (const line of HELP) io.stderr.write(`${line}\n`)
          break
        case 'runs':
          listRuns(io, host, context)
          break
        case 'new':
          context = newContext()
          io.stderr.write('A new conversation.\n')
          break
        case 'mcp':
          await showServers(io, host)
          break
        case 'attach':
          await attachTyped(io, host, rest[0])
          break
        case 'skills':
          listSkills(io, host)
          break
        case 'model':
          host = await changeModel(io, options, host, rest[0])
          break
        default:
          io.stderr.write(`There is no /${safeText(command)}; /help lists what there is.\n`)
      }
    }
  } finally {
    lines.close()
    await host.close()
  }
}

async function open(io: Io, options: ChatOptions): Promise<Host> {
  const opening = openHost({
    ...openRuns(io, options),
    environment: io.environment,
    cwd: io.cwd,
    choosing: options,
    followSkills: true,
    ...(options.verbose ? { onServerLog: serverLog(io) } : {}),
  })
  return whileWaiting(io, options, 'starting up', opening)
}

async function answer(
  io: Io,
  options: ChatOptions,
  host: Host,
  context: ContextId,
  goal: string | UserMessage,
  lines: ChatLines,
): Promise<void> {
  host.remember(await conversation(host.store, context))
  const metadata = await host.prepare(typeof goal === 'string' ? goal : plainText(goal.blocks))
  const runId = await host.engine.submit({ agent: host.agent.name, goal, contextId: context, metadata })
  const stopSteering = lines.steer((said) => {
    host.engine.tell(runId, said, 'cli').catch((error: unknown) => {
      if (isTenonError(error) && error.code === 'run-ended') lines.putBack(said)
      else reportError(error, io)
    })
  })
  try {
    await driveRun(host.engine, runId, io, options, {
      contextWindow: host.agent.model.contextWindow,
      inbox: host.store.inbox,
      asker: lines,
      prints: (write) => lines.shield(write),
    })
  } finally {
    stopSteering()
  }
}

function listRuns(io: Io, host: Host, context: ContextId): void {
  const { runs } = host.store.runs.list({ contextId: context, limit: 50 })
  if (runs.length === 0) io.stderr.write('Nothing was run yet.\n')
  const rows = runs.map((run) => [
    run.runId,
    run.state,
    `${spokenTime(Date.now() - run.createdAt)} ago`,
    safeText(run.goal.slice(0, 60)),
  ])
  io.stderr.write(table(rows))
}

/** The commands of the conversation go before skills of the same name. */
const COMMANDS = new Set(['help', 'runs', 'skills', 'mcp', 'attach', 'model', 'new', 'quit', 'exit', 'q'])

function namesSkill(host: Host, goal: string): boolean {
  const word = goal.slice(1).split(/\s+/)[0] ?? ''
  return !COMMANDS.has(word) && host.skills?.current().byName.get(word)?.invocation.byUser === true
}

function listSkills(io: Io, host: Host): void {
  const skills = [...(host.skills?.current().byName.values() ?? [])].filter(({ invocation }) => invocation.byUser)
  if (skills.length === 0) io.stderr.write('There are no skills here.\n')
  const rows = skills.map(({ name, invocation, description = '' }) => [
    safeText(`/${name}${invocation.argumentHint === undefined ? '' : ` ${invocation.argumentHint}`}`),
    safeText(description.replaceAll('\n', ' ').slice(0, 70)),
  ])
  io.stderr.write(table(rows))
}

async function changeModel(io: Io, options: ChatOptions, host: Host, name: string | undefined): Promise<Host> {
  if (name === undefined) {
    for (const { state, text } of host.decision.ways) io.stderr.write(`${state}: ${text}\n`)
    return host
  }
  let other: Host | undefined
  try {
    other = await open(io, { ...options, model: name })
    other.requireModel()
  } catch (error) {
    reportError(error, io)
    await other?.close()
    return host
  }
  await host.close()
  io.stderr.write(`${other.decision.choice?.name ?? name} answers from now on.\n`)
  for (const note of limitsWithoutPrices(other)) io.stderr.write(`note: ${safeText(note)}\n`)
  return other
}

const newContext = (): ContextId => contextId(`ctx_${sortableId()}`)

function lastContext(host: Host): ContextId {
  const last = host.store.runs.list({ parent: null, limit: 1 }).runs[0]
  if (last === undefined) throw new HostError('usage', 'There is no conversation to go on with. Start one: tenon chat')
  return last.contextId
}
