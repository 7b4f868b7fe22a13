import { createHash } from 'node:crypto'
import {
  createEngine,
  type Disposition,
  type Engine,
  type EnginePorts,
  type FramePart,
  HOST,
  type Agent as KernelAgent,
  type Limits,
  type Model,
  type ModelSettings,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  type Planner,
  type Policy,
  RunId,
  react,
  type SubmitOptions,
  sortableId,
  type Tool,
  type ToolChoice,
  type UserMessage,
} from '@tenon/kernel'
import { sha256 } from '../host/sha256.js'
import type { InferOutput, StandardSchema } from '../schema/standard-schema.js'
import { type SchemaInput, toSchema } from '../schema/to-schema.js'
import { AgentRun } from './agent-run.js'
import type { Approve } from './approve.js'
import { checkAgentOptions, checkRunOptions } from './check-options.js'
import { RunError } from './run-error.js'

/** Where runs are kept: what `openStore` of `@tenon/store` gives, or ports of your own. */
export type RunStore = Pick<EnginePorts, 'journal' | 'inbox' | 'leases' | 'grants' | 'artifacts' | 'holder'>

/** What a result is: what the schema makes of it, else nothing but its text. */
export type OutputOf<Output> = Output extends StandardSchema ? InferOutput<Output> : unknown

export type AgentOptions<Output extends SchemaInput | undefined = undefined> = {
  /** Under this name a run finds its agent again after a restart. `agent` if absent. */
  readonly name?: string
  readonly model: Model
  /** The system prompt. */
  readonly instructions?: string
  readonly tools?: readonly Tool[]
  /** The shape of the result; an answer of another shape goes back to the model, within limits. */
  readonly output?: Output
  /** A policy, or one disposition for everything. Absent: `pure` calls run, everything else asks. */
  readonly policy?: Policy | Disposition
  readonly approve?: Approve
  /** ReAct if absent. */
  readonly planner?: Planner
  /** In memory if absent: runs end with the process. */
  readonly store?: RunStore
  readonly limits?: Limits
  readonly settings?: ModelSettings
  readonly toolChoice?: ToolChoice
}

export type RunOptions = Pick<SubmitOptions, 'limits' | 'deadline' | 'contextId' | 'principal' | 'metadata'> & {
  /** Aborting cancels the run: model, tools and sub-runs stop. One that is aborted already starts nothing. */
  readonly signal?: AbortSignal
}

/** An agent of your own program. Its runs are those of the command line: the same engine, the same journal. */
export type LibraryAgent<T> = {
  readonly name: string
  readonly engine: Engine
  /** Starts a run. Iterate over it to see it go on, or await its `result`. @throws HostError `options-invalid` */
  run(goal: string | UserMessage, options?: RunOptions): AgentRun<T>
  /** Takes up a run that is in the store: after a restart, or to answer what it waits on. */
  resume(runId: string, options?: Pick<RunOptions, 'signal'>): AgentRun<T>
  /** Stops driving without canceling: everything goes on at the next `resume`. */
  close(): Promise<void>
}

/**
 * Makes an agent.
 * @throws HostError `options-invalid`, `schema-invalid` for an output that is no schema; KernelError `policy-invalid`,
 *   `tool-invalid` also when two tools have one name
 */
export function agent<const Output extends SchemaInput | undefined = undefined>(
  options: AgentOptions<Output>,
): LibraryAgent<OutputOf<Output>> {
  checkAgentOptions(options)
  const made = kernelAgent(options)
  const engine = createEngine({
    ...(options.store ?? memoryStore()),
    agents: (name) => (name === made.name ? made : undefined),
    digest: sha256,
  })
  return {
    name: made.name,
    engine,
    run(goal, runOptions = {}) {
      checkRunOptions(goal, runOptions)
      const { signal, ...submit } = runOptions
      const runId = RunId(`run_${sortableId()}`)
      return new AgentRun<OutputOf<Output>>({
        engine,
        runId,
        async started() {
          if (signal?.aborted) throw new RunError(NOT_BEGUN, runId, 'canceled')
          await engine.submit({ agent: made.name, goal, runId, ...submit })
        },
        approve: options.approve,
        signal,
      })
    },
    resume: (runId, { signal } = {}) =>
      new AgentRun<OutputOf<Output>>({
        engine,
        runId: RunId(runId),
        started: async () => void (await engine.state(RunId(runId))),
        approve: options.approve,
        signal,
      }),
    close: () => engine.close(),
  }
}

const NOT_BEGUN = {
  code: 'run-canceled',
  message: 'The signal was aborted before the run began; nothing was started.',
  retryable: false,
} as const

function kernelAgent(options: AgentOptions<SchemaInput | undefined>): KernelAgent {
  const {
    name = 'agent',
    model,
    instructions,
    tools = [],
    output,
    policy,
    planner,
    limits,
    settings,
    toolChoice,
  } = options
  const system: FramePart[] =
    instructions === undefined
      ? []
      : [{ partId: 'system', kind: 'system-prompt', provenance: HOST, text: instructions }]
  return {
    name,
    model,
    tools,
    planner: planner ?? react(),
    policy: typeof policy === 'string' ? { rules: [], otherwise: policy } : (policy ?? { rules: [] }),
    frame: system,
    limits: limits ?? {},
    ...(output === undefined ? {} : { output: { name: 'result', schema: toSchema(output) } }),
    ...(settings === undefined ? {} : { settings }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
  }
}

function memoryStore(): RunStore {
  return {
    journal: memoryJournal(),
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts: memoryArtifacts((bytes) => createHash('sha256').update(bytes).digest('hex')),
  }
}
