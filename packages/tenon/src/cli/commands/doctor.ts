import { isTenonError, type JsonObject } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { stringify } from 'yaml'
import { type LoadedConfig, loadConfig } from '../../config/load-config.js'
import { redactConfig } from '../../config/redact-config.js'
import type { Check } from '../../doctor/check.js'
import { compositionChecks, sandboxChecks } from '../../doctor/composition-checks.js'
import {
  configChecks,
  keyCheck,
  modelChecks,
  modelServerChecks,
  nodeCheck,
  problemChecks,
  storeCheck,
} from '../../doctor/environment-checks.js'
import { examine, type Finding } from '../../doctor/examine.js'
import { gatherFacts } from '../../doctor/gather-facts.js'
import { gatherPeers } from '../../doctor/gather-peers.js'
import { type FoundSandbox, gatherSandbox } from '../../doctor/gather-sandbox.js'
import type { PeerFacts } from '../../doctor/project-facts.js'
import { projectSummary } from '../../doctor/project-summary.js'
import type { Severity } from '../../doctor/rule.js'
import { knownNames } from '../../host/known-names.js'
import { openHost } from '../../host/open-host.js'
import { storeFolder } from '../../host/store-folder.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, styleOf } from '../io.js'
import type { Tone } from '../printer/piece.js'
import { Printer } from '../printer/printer.js'
import { safeText } from '../printer/safe-text.js'
import { whileWaiting } from '../while-waiting.js'
import type { ChoosingOptions } from './run-goal.js'

export type DoctorOptions = CommonOptions &
  ChoosingOptions & { readonly showConfig?: boolean; readonly json?: boolean; readonly strict?: boolean }

type Report = {
  readonly checks: readonly Check[]
  readonly findings: readonly Finding[]
  readonly project?: JsonObject
  readonly config?: unknown
}

/** `tenon doctor`: everything is looked at, and one thing that is wrong hides no other. */
export async function doctor(io: Io, options: DoctorOptions): Promise<number> {
  const report = await whileWaiting(io, options, 'looking at everything', look(io, options))
  if (options.json) io.stdout.write(`${JSON.stringify(asJson(report))}\n`)
  else print(io, report, options)
  const severities = report.findings.map(({ rule }) => rule.severity)
  const fails = report.checks.some(({ state }) => state === 'bad') || severities.includes('error')
  return fails || (options.strict === true && severities.includes('warning')) ? EXIT.failed : EXIT.completed
}

async function look(io: Io, options: DoctorOptions): Promise<Report> {
  const checks: Check[] = [nodeCheck()]
  const loaded = await attempt(checks, 'configuration', () =>
    loadConfig({
      cwd: io.cwd,
      environment: io.environment,
      known: knownNames(),
      ...(options.config === undefined ? {} : { file: options.config }),
    }),
  )
  // Begun here, so that what is slow is waited for once and not in a row.
  const outside = Promise.all([
    gatherPeers(loaded?.config.peers),
    gatherSandbox({ require: 'strong', ...loaded?.config.sandbox }),
  ])
  const inside = loaded === undefined ? NOTHING : await lookInside(io, options, loaded, outside)
  const [, sandbox] = await outside
  return { ...inside, checks: [...checks, ...inside.checks, ...sandboxChecks(sandbox)] }
}

const NOTHING: Report = { checks: [], findings: [] }

/** More than a run waits, unless the configuration says how long: a first start may fetch the server. */
const SERVER_WAIT_MS = 15_000

type Outside = Promise<readonly [peers: readonly PeerFacts[], sandbox: FoundSandbox]>

/** What the configuration puts together, as a run would have it. */
async function lookInside(
  { environment, cwd }: Io,
  options: DoctorOptions,
  loaded: LoadedConfig,
  outside: Outside,
): Promise<Report> {
  const checks: Check[] = [...configChecks(loaded)]
  const dir = storeFolder(options.store, loaded.config, environment, cwd)
  const store = await attempt(checks, 'store', () => openStore({ dir }))
  if (store === undefined) return { checks, findings: [] }
  checks.push(storeCheck(store))
  const host = await attempt(checks, 'agent', () =>
    openHost({ loaded, store, environment, cwd, choosing: options, everything: true, serverWaitMs: SERVER_WAIT_MS }),
  )
  if (host === undefined) {
    store.close()
    return { checks, findings: [] }
  }
  const [peers, sandbox] = await outside
  const facts = gatherFacts({ host, peers, sandbox, environment })
  checks.push(
    ...modelChecks(host.decision),
    keyCheck(environment),
    ...modelServerChecks(host.servers),
    ...compositionChecks(facts, host),
    ...problemChecks(host.problems),
  )
  await host.close()
  return {
    checks,
    findings: examine(facts),
    project: projectSummary(facts),
    ...(options.showConfig ? { config: redactConfig(host.config) } : {}),
  }
}

async function attempt<T>(checks: Check[], about: string, work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isTenonError(error)) throw error
    checks.push({ state: 'bad', about, text: `${error.message} [${error.code}]` })
    return undefined
  }
}

const asJson = ({ checks, findings, project, config }: Report) => ({
  checks,
  findings: findings.flatMap(({ rule: { id, severity, title, reason, layer, fix }, found }) =>
    found.map(({ where, text }) => ({
      rule: id,
      severity,
      where,
      text,
      title,
      reason,
      ...(layer === undefined ? {} : { layer }),
      fix,
    })),
  ),
  ...(project === undefined ? {} : { project }),
  ...(config === undefined ? {} : { config }),
})

const CHECK_MARKS = { ok: ['✓', 'good'], note: ['-', 'muted'], bad: ['✗', 'bad'] } as const
const SEVERITY_MARKS: Readonly<Record<Severity, readonly [mark: string, tone: Tone]>> = {
  error: ['✗', 'bad'],
  warning: ['!', 'ask'],
  note: ['-', 'muted'],
}

function print(io: Io, { checks, findings, config }: Report, options: DoctorOptions): void {
  if (config !== undefined) io.stdout.write(`${stringify(config)}\n`)
  const printer = new Printer({
    style: styleOf(io, io.stdout, options.plain === true),
    write: (text) => void io.stdout.write(text),
  })
  for (const { state, about, text } of checks) {
    const [mark, tone] = CHECK_MARKS[state]
    printer.print([{ kind: 'line', label: `${state} ${about}`, mark: `${mark} ${about}:`, tone, text: safeText(text) }])
  }
  for (const { rule, found } of findings) {
    const [mark, tone] = SEVERITY_MARKS[rule.severity]
    const label = `${rule.severity} ${rule.id}`
    printer.print([{ kind: 'line', label, mark: `${mark} ${rule.id}:`, tone, text: rule.title }])
    for (const { where, text } of found) printer.say(safeText(`  ${where}: ${text}`))
    printer.say(`  Why: ${rule.reason}`, 'muted')
    if (rule.layer !== undefined) printer.say(`  Better: ${rule.layer}.`)
    printer.say(`  Fix: ${rule.fix}`)
  }
  printer.close()
}
