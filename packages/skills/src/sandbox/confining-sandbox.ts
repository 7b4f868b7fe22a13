import { SkillsError } from '../errors.js'
import type { Backend, Prepared } from './backend.js'
import { doWithoutControlGroups } from './control-group.js'
import { gatedJob } from './gated-job.js'
import type { Isolation, Strength } from './isolation.js'
import { NOT_IN_GROUP } from './launcher-failure.js'
import type { ProbeFacts } from './probe-program.js'
import { probeSandbox } from './probe-sandbox.js'
import { runConfined } from './run-confined.js'
import type { Sandbox, SandboxJob, SandboxProbe } from './sandbox.js'

/** A sandbox whose report is what its probe found, not what its backend promises. */
export function confiningSandbox(backend: Backend): Sandbox {
  let probed: Promise<Found> | undefined
  const look = (): Promise<Found> => {
    probed ??= find(backend)
    return probed
  }
  return Object.freeze({
    name: backend.name,
    runs: backend.runs,
    async probe() {
      return (await look()).probe
    },
    async run(job) {
      const { facts, probe } = await look()
      if (facts === undefined)
        throw new SkillsError('sandbox-failed', `The sandbox ${backend.name} cannot be used: ${reasonOf(probe)}.`)
      const gated = await gatedJob(job, backend)
      try {
        const prepared = backend.prepare(gated.job)
        const result = await runPrepared(prepared, gated.job)
        const isolation = isolationOf(backend.name, facts, {
          ...prepared,
          notes: [...prepared.notes, ...gated.notes()],
        })
        return { ...result, isolation: job.network?.length ? { ...isolation, network: 'allow-list' } : isolation }
      } finally {
        await gated.close()
      }
    },
  } satisfies Sandbox)
}

async function runPrepared({ start, group, release }: Prepared, job: SandboxJob): ReturnType<typeof runConfined> {
  try {
    return await runConfined(group?.around(start) ?? start, job)
  } finally {
    group?.release()
    release?.()
  }
}

type Found = { readonly probe: SandboxProbe; readonly facts?: ProbeFacts }

async function find(backend: Backend): Promise<Found> {
  const unusable = (reason: string): Found => ({ probe: { usable: false, reason, remedy: backend.remedy } })
  const missing = backend.missing()
  if (missing !== undefined) return unusable(missing)
  let tried: Prepared | undefined
  const look = () =>
    probeSandbox((job) => {
      tried = backend.prepare(job)
      return runPrepared(tried, job)
    })
  let facts = await look()
  // Control groups are more than is required: without them each process is bounded by itself. Decided here and not by a
  // job, which could say that it did not get in.
  if (typeof facts === 'string' && facts.includes(NOT_IN_GROUP)) {
    doWithoutControlGroups()
    facts = await look()
  }
  if (typeof facts === 'string' || tried === undefined) return unusable(String(facts))
  const isolation = isolationOf(backend.name, facts, tried)
  return { probe: { usable: true, strength: isolation.strength, isolation }, facts }
}

const reasonOf = (probe: SandboxProbe): string => (probe.usable ? '' : probe.reason)

function isolationOf(backend: string, facts: ProbeFacts, { user, limits, notes }: Prepared): Isolation {
  const { readsOutside, writesOutside, seesOutside, reachesTcp, reachesSocketFile } = facts
  const { readsEnvironment, signalsHost, seesHostProcesses } = facts
  const files = readsOutside || writesOutside ? 'open' : seesOutside ? 'refused' : 'hidden'
  const network = reachesTcp || reachesSocketFile ? 'open' : 'none'
  const environment = readsEnvironment ? 'host' : 'own'
  const processes = signalsHost ? 'open' : seesHostProcesses ? 'refused' : 'hidden'
  return Object.freeze({
    backend,
    strength: strengthOf(files, network, environment, processes),
    files,
    network,
    environment,
    processes,
    user,
    limits,
    notes,
  })
}

function strengthOf(
  files: Isolation['files'],
  network: Isolation['network'],
  environment: Isolation['environment'],
  processes: Isolation['processes'],
): Strength {
  const open = [files === 'open', network === 'open', environment === 'host', processes === 'open']
  if (!open.includes(true)) return 'strong'
  return files === 'open' && network === 'open' ? 'none' : 'weak'
}
