import type { Engine, Inbox, RequestId, RunId } from '@tenon/kernel'
import { resultText } from '../host/result-text.js'
import type { Asker } from './consent/asker.js'
import { terminalAsker } from './consent/asker.js'
import { consentCard } from './consent/consent-card.js'
import { EXIT, exitCodeOf } from './exit-code.js'
import { type Io, isInteractive, styleOf } from './io.js'
import { onSignals } from './on-signals.js'
import { Printer } from './printer/printer.js'
import { safeText } from './printer/safe-text.js'
import { spokenCount, spokenMoney } from './printer/words.js'
import { reportError } from './report-error.js'
import { type Answering, RunWatch } from './run-watch.js'

export type DriveOptions = {
  readonly yes?: boolean
  readonly deny?: boolean
  readonly json?: boolean
  readonly plain?: boolean
  /** Stays while a question stands open, for an answer that comes from elsewhere. */
  readonly stay?: boolean
}

export type DriveSurroundings = {
  /** Events up to this one are known and not shown. */
  readonly after?: number
  readonly contextWindow?: number
  /** A request that was just answered and is not asked again. */
  readonly answered?: RequestId
  /** Word that others left for the run is taken up while a question stands open here. */
  readonly inbox?: Inbox
  /** Said once Ctrl-C is heard. */
  readonly opening?: string
  /** Who asks the person, where somebody reads the terminal already. */
  readonly asker?: Asker
  /** Stands between the printer and standard error. */
  readonly prints?: (write: (text: string) => void) => (text: string) => void
}

/** Drives a run in front of the user until it has ended, is parked or is left, and returns the exit code. */
export async function driveRun(
  engine: Engine,
  runId: RunId,
  io: Io,
  options: DriveOptions,
  more: DriveSurroundings = {},
): Promise<number> {
  const style = styleOf(io, io.stderr, options.plain === true)
  const write = (text: string): void => void io.stderr.write(text)
  let watch: RunWatch | undefined
  const printer = new Printer({
    style,
    write: more.prints?.(write) ?? write,
    facts: () => (watch === undefined ? '' : statusFacts(watch, more.contextWindow)),
  })
  watch = new RunWatch({
    engine,
    runId,
    io,
    printer,
    width: style.width,
    json: options.json === true,
    answering: answeringOf(io, options, more.asker),
    after: more.after ?? 0,
    ...(more.answered === undefined ? {} : { answered: more.answered }),
  })
  const hint = `tenon runs follow ${runId}`
  const leave = (code: number): never => {
    printer.close()
    io.stderr.write(`Left. See what became of it with: ${hint}; go on with it: tenon runs resume ${runId}\n`)
    process.exit(code)
  }
  // A reader of the events who has seen enough: before whoever takes the closed pipe for the end of everything.
  const unread = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') leave(EXIT.unread)
  }
  io.stdout.prependListener('error', unread)
  const stopListening = onSignals({
    cancel: () => {
      printer.say(`Ctrl-C again leaves the run to itself; then: ${hint}`, 'muted')
      engine.cancel(runId, 'Ctrl-C', 'cli').catch((error: unknown) => reportError(error, io))
    },
    leave,
  })
  const stopWatching = more.inbox?.watch(runId, () => void engine.drive(runId).catch(() => {}))
  if (more.opening !== undefined) printer.say(more.opening, 'muted')
  try {
    for (let answered = 0; ; answered = watch.answered) {
      const run = await engine.drive(runId)
      await watch.reached(run.seq)
      if (run.ended) break
      // Parked. Whoever is here answers first; it goes on as long as anything was answered, here or elsewhere.
      await watch.settled()
      if (watch.answered !== answered || watch.run.seq !== run.seq) continue
      if (options.stay !== true || run.inputs.size === 0) break
      await watch.reached(run.seq + 1)
    }
    printer.close()
    return await conclude(watch, printer, io, options)
  } finally {
    stopWatching?.()
    stopListening()
    io.stdout.off('error', unread)
    await watch.close()
    printer.close()
  }
}

async function conclude(watch: RunWatch, printer: Printer, io: Io, options: DriveOptions): Promise<number> {
  const { run } = watch
  if (run.ended) {
    const result = resultText(run.ended)
    const seen = io.stdout.isTTY === true && printer.sawText(result)
    if (options.json !== true && result !== '' && !seen)
      io.stdout.write(`${io.stdout.isTTY ? safeText(result) : result}\n`)
    return exitCodeOf(run)
  }
  if (run.inputs.size > 0) {
    io.stderr.write(`The run waits for an answer. Its questions stay open until they are answered:\n`)
    for (const request of run.inputs.values()) {
      if (request.via !== undefined) {
        const asked = await watch.origin(request)
        for (const line of consentCard(asked.request, asked.call, true).lines) io.stderr.write(`  ${line}\n`)
      }
      const how = request.kind === 'approval' ? '--yes, or --no "why"' : '--text "…"'
      io.stderr.write(`  tenon runs answer ${watch.runId} ${request.requestId} ${how}\n`)
    }
    return EXIT.inputRequired
  }
  return exitCodeOf(run)
}

function answeringOf(io: Io, options: DriveOptions, asker: Asker | undefined): Answering {
  if (options.yes) return { kind: 'all', answer: 'approve' }
  if (options.deny) return { kind: 'all', answer: 'deny' }
  if (options.json !== true && isInteractive(io)) return { kind: 'person', asker: asker ?? terminalAsker(io) }
  return { kind: 'nobody' }
}

/** Model, how full its context is, what was spent, what is asked. */
function statusFacts(watch: RunWatch, contextWindow: number | undefined): string {
  const { run } = watch
  const facts: string[] = []
  const turn = run.lastTurn()
  if (turn?.usage) {
    const used = turn.usage.input + turn.usage.cachedInput + turn.usage.cacheWrite + turn.usage.output
    const share =
      contextWindow === undefined
        ? ''
        : ` of ${spokenCount(contextWindow)} (${Math.round((used / contextWindow) * 100)}%)`
    facts.push(`${spokenCount(used)}${share}`)
  }
  if (run.totals.cost > 0) facts.push(spokenMoney(run.totals.cost))
  if (run.inputs.size > 0) facts.push(`${run.inputs.size} open`)
  return facts.join('  ')
}
