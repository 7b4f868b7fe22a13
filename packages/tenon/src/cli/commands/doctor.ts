import { isTenonError } from '@tenon/kernel'
import { type LocalServer, type ModelDecision, PROVIDERS } from '@tenon/models'
import type { SandboxPolicy } from '@tenon/skills'
import { openStore, type Store } from '@tenon/store'
import { stringify } from 'yaml'
import { loadConfig } from '../../config/load-config.js'
import { redactConfig } from '../../config/redact-config.js'
import { knownNames } from '../../host/known-names.js'
import { type Host, openHost } from '../../host/open-host.js'
import { storeFolder } from '../../host/store-folder.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, styleOf } from '../io.js'
import { Printer } from '../printer/printer.js'
import { safeText } from '../printer/safe-text.js'
import { spokenBytes, spokenCount } from '../printer/words.js'
import type { ChoosingOptions } from './run-goal.js'

export type DoctorOptions = CommonOptions & ChoosingOptions & { readonly showConfig?: boolean }

type Finding = { readonly state: 'ok' | 'note' | 'bad'; readonly about: string; readonly text: string }

/** `tenon doctor`: everything is looked at, and one thing that is wrong hides no other. */
export async function doctor(io: Io, options: DoctorOptions): Promise<number> {
  const findings: Finding[] = [nodeFinding()]
  const printer = new Printer({
    style: styleOf(io, io.stdout, options.plain === true),
    write: (text) => void io.stdout.write(text),
  })
  const loaded = attempt(findings, 'configuration', () =>
    loadConfig({
      cwd: io.cwd,
      environment: io.environment,
      known: knownNames(),
      ...(options.config === undefined ? {} : { file: options.config }),
    }),
  )
  if (loaded !== undefined) {
    findings.push({
      state: 'ok',
      about: 'configuration',
      text: loaded.read.join(', ') || 'none; tenon init writes one',
    })
    for (const [name, { apiKey }] of Object.entries(loaded.config.models ?? {}))
      if (apiKey?.variables.length === 0)
        findings.push({
          state: 'note',
          about: 'configuration',
          text: `models.${name}.apiKey is written in the file; \${NAME} would take it from the environment`,
        })
    const dir = storeFolder(options.store, loaded.config, io.environment, io.cwd)
    const store = attempt(findings, 'store', () => openStore({ dir }))
    if (store !== undefined) {
      findings.push(storeFinding(store))
      const host = await attemptLater(findings, 'agent', () =>
        openHost({ loaded, store, environment: io.environment, cwd: io.cwd, choosing: options, everything: true }),
      )
      if (host === undefined) store.close()
      else {
        findings.push(
          ...modelFindings(host.decision),
          ...keyFindings(io),
          ...serverFindings(host.servers),
          agentFinding(host),
          ...skillsFinding(host),
          ...host.problems.map(({ message }): Finding => ({ state: 'note', about: 'instructions', text: message })),
        )
        if (options.showConfig) io.stdout.write(`${stringify(redactConfig(host.config))}\n`)
        await host.close()
      }
    }
  }
  findings.push(...(await sandboxFindings({ require: 'strong', ...loaded?.config.sandbox })))
  for (const { state, about, text } of findings) {
    const [mark, tone] = MARKS[state]
    printer.print([{ kind: 'line', label: `${state} ${about}`, mark: `${mark} ${about}:`, tone, text: safeText(text) }])
  }
  printer.close()
  return findings.some(({ state }) => state === 'bad') ? EXIT.failed : EXIT.completed
}

const MARKS = { ok: ['✓', 'good'], note: ['-', 'muted'], bad: ['✗', 'bad'] } as const

function attempt<T>(findings: Finding[], about: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    findings.push(failed(about, error))
    return undefined
  }
}

async function attemptLater<T>(findings: Finding[], about: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    findings.push(failed(about, error))
    return undefined
  }
}

function failed(about: string, error: unknown): Finding {
  if (!isTenonError(error)) throw error
  return { state: 'bad', about, text: `${error.message} [${error.code}]` }
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = major > 20 || (major === 20 && minor >= 19)
  const text = `${process.version} on ${process.platform} ${process.arch}${fits ? '' : '; Tenon needs 20.19 or newer'}`
  return { state: fits ? 'ok' : 'bad', about: 'node', text }
}

/** Reading all of a larger store takes longer than people wait. */
const CHECKED_BYTES = 64 * 1024 * 1024

function storeFinding(store: Store): Finding {
  const size = store.size()
  const wrong = size > CHECKED_BYTES ? [] : store.check()
  if (wrong.length > 0) return { state: 'bad', about: 'store', text: `${store.file}: ${wrong.join('; ')}` }
  const left = store.runs.unfinished()
  const parked = left.filter((run) => run.parked).length
  const open = left.length - parked
  return {
    state: 'ok',
    about: 'store',
    text: `${store.file}, ${spokenBytes(size)}; ${parked} parked, ${open} left in the middle${open > 0 ? ' (tenon runs resume)' : ''}`,
  }
}

function modelFindings(decision: ModelDecision): Finding[] {
  const ways = decision.ways.map(({ way, state, text }): Finding => {
    const judged = state === 'chosen' ? 'ok' : state === 'refused' ? 'bad' : 'note'
    return { state: judged, about: `model (${way})`, text: `${state}: ${text}` }
  })
  if (decision.error !== undefined) return [...ways, { state: 'bad', about: 'model', text: decision.error.message }]
  return [...ways, { state: 'ok', about: 'model', text: `${decision.choice?.name} answers` }]
}

function keyFindings(io: Io): Finding[] {
  const set = PROVIDERS.flatMap(({ keys }) => keys.filter((name) => io.environment[name]))
  return [{ state: 'note', about: 'keys', text: set.length === 0 ? 'none in the environment' : set.join(', ') }]
}

function serverFindings(servers: readonly LocalServer[]): Finding[] {
  return servers.map(({ title, baseUrl, models }) => ({
    state: 'note',
    about: 'server',
    text: `${title} at ${baseUrl}: ${models.map(({ model }) => model).join(', ') || 'no chat model'}`,
  }))
}

function skillsFinding({ skills }: Host): Finding[] {
  if (skills === undefined) return [{ state: 'note', about: 'skills', text: 'switched off in tenon.yaml' }]
  const { skills: found, byName } = skills.current()
  if (found.length === 0) return []
  const state = found.every(({ loadable }) => loadable) ? 'ok' : 'note'
  return [{ state, about: 'skills', text: `${byName.size} of ${found.length} are ready (tenon skills doctor)` }]
}

function agentFinding({ agent, decision }: Host): Finding {
  const tools = agent.tools.map(({ name }) => name).join(', ') || 'none'
  return {
    state: 'ok',
    about: 'agent',
    text: `${agent.name}${decision.choice === null ? '' : `; window ${spokenCount(agent.model.contextWindow)} tokens`}; tools: ${tools}`,
  }
}

/** What the sandbox that would be taken really closes, found by running something in it. */
async function sandboxFindings(policy: SandboxPolicy): Promise<readonly Finding[]> {
  const about = 'sandbox'
  const { chooseSandbox } = await import('@tenon/skills')
  try {
    const sandbox = await chooseSandbox(policy)
    const probe = await sandbox.probe()
    if (!probe.usable) return []
    const { strength, files, network, environment, processes, limits, user, notes } = probe.isolation
    const closed = `files ${files}, network ${network}, environment ${environment}, processes ${processes}, as ${user}`
    const text = `${sandbox.name} is ${strength}: ${closed}; memory limited for ${limits.memory}, processes for ${limits.processes}`
    return [{ state: strength === 'strong' ? 'ok' : 'note', about, text }, ...notes.map((note) => noted(about, note))]
  } catch (error) {
    return [{ ...failed(about, error), state: 'note' }]
  }
}

const noted = (about: string, text: string): Finding => ({ state: 'note', about, text })
