import {
  type Agent,
  type Engine,
  isJsonObject,
  isTenonError,
  type JsonObject,
  RequestId,
  RunId,
  type RunState,
} from '@tenon/kernel'
import {
  type Caller,
  createdTask,
  declaresTasks,
  type Follower,
  type McpService,
  noTask,
  requireTasks,
  rpcError,
  type ServedCall,
  type ServiceChange,
  type ServiceInfo,
} from '@tenon/mcp'
import type { RunSummary } from '@tenon/store'
import { answerOf, formOf } from './input-form.js'
import { oneCallMetadata, oneCallName } from './one-call-agent.js'
import { taskOfRun, toolResultOf, type WhyNot } from './run-task.js'
import { toolsForClients } from './tools-for-clients.js'

export type AgentServiceOptions = {
  readonly engine: Engine
  /** Looked at for each list, so that what comes later is seen. */
  readonly agents: () => readonly Agent[]
  /** The agent whose tools are offered by themselves as well; none where absent. */
  readonly toolsOf: Agent | undefined
  /** How a run is found that is not open here. */
  readonly summary: (runId: RunId) => RunSummary | undefined
  /** What a run of this goal keeps for its host. */
  readonly metadataOf: (goal: string) => JsonObject
  readonly whyNot: WhyNot
  /** Throws where the caller has as many runs open as it may. */
  readonly requireRoom?: (principal: string) => void
  readonly serverInfo: { readonly name: string; readonly version: string }
}

/** A server error of JSON-RPC: the request was right, and may be repeated. */
const TOO_MANY = -32_005

const TASKS = 'io.modelcontextprotocol/tasks'
const INPUT: JsonObject = {
  type: 'object',
  properties: { goal: { type: 'string', description: 'What is wanted, with everything that has to be known.' } },
  required: ['goal'],
}

/**
 * Agents as an MCP server: each is a tool whose call is a run, and the tools of one of them are there by themselves,
 * each call a run of one step. A client that follows tasks gets the run as one, whatever becomes of this process.
 */
export class AgentService implements McpService {
  readonly #options: AgentServiceOptions
  readonly #followers = new Set<{ readonly caller: Caller; readonly onChange: (change: ServiceChange) => void }>()

  #leaving = false

  constructor(options: AgentServiceOptions) {
    this.#options = options
  }

  info(): ServiceInfo {
    const { serverInfo } = this.#options
    return {
      serverInfo,
      capabilities: {
        tools: { listChanged: true },
        extensions: { [TASKS]: {} },
      },
    }
  }

  async request(call: ServedCall): Promise<JsonObject> {
    switch (call.method) {
      case 'tools/list':
        return { tools: this.#tools() }
      case 'tools/call':
        return this.#call(call)
      case 'tasks/get':
        return (await this.#task(call)) as unknown as JsonObject
      case 'tasks/update':
        return this.#update(call)
      case 'tasks/cancel':
        await this.#options.engine.cancel((await this.#runOf(call)).runId, 'The client cancelled.', 'mcp')
        return {}
      default:
        throw rpcError(-32601, `There is no method ${call.method}.`)
    }
  }

  follow(caller: Caller, _: unknown, onChange: (change: ServiceChange) => void): Follower {
    const follower = { caller, onChange }
    this.#followers.add(follower)
    return { changed: () => undefined, stop: () => void this.#followers.delete(follower) }
  }

  /** The server stops: clients are cut off from their runs, and the runs go on when it is back. */
  leave(): void {
    this.#leaving = true
  }

  /** What is offered has changed. */
  toolsChanged(): void {
    for (const { onChange } of this.#followers) onChange({ kind: 'tools' })
  }

  #tools(): readonly JsonObject[] {
    const { agents, toolsOf } = this.#options
    const asTools = agents().map(({ name, description }) => ({
      name,
      description: description ?? `Gives a goal to the agent ${name} and waits for what comes of it.`,
      inputSchema: INPUT,
    }))
    const names = new Set(asTools.map(({ name }) => name))
    const own = toolsForClients(toolsOf?.tools ?? []).filter(({ name }) => !names.has(name))
    return [
      ...asTools,
      ...own.map(({ name, title, description, input, output, effect }) => ({
        name,
        ...(title === undefined ? {} : { title }),
        description,
        inputSchema: input.json,
        ...(output === undefined || output.json.type !== 'object' ? {} : { outputSchema: output.json }),
        annotations: { readOnlyHint: effect === 'pure', idempotentHint: effect !== 'once' },
      })),
    ]
  }

  async #call(call: ServedCall): Promise<JsonObject> {
    const { engine } = this.#options
    const { principal } = call.caller
    const submission = this.#submission(call)
    this.#requireRoom(principal)
    const runId = await engine.submit({ ...submission, principal })
    if (declaresTasks(call.caller.capabilities)) {
      this.#drive(runId, call.caller)
      return createdTask(taskOfRun(runId, await engine.state(runId), Date.now(), this.#options.whyNot))
    }
    return this.#attend(runId, call)
  }

  #requireRoom(principal: string): void {
    try {
      this.#options.requireRoom?.(principal)
    } catch (error) {
      throw isTenonError(error) ? rpcError(TOO_MANY, error.message) : error
    }
  }

  #submission({ params }: ServedCall): { agent: string; goal: string; metadata: JsonObject } {
    const { agents, toolsOf, metadataOf } = this.#options
    const name = String(params.name)
    const args = isJsonObject(params.arguments) ? params.arguments : {}
    if (agents().some((agent) => agent.name === name)) {
      if (typeof args.goal !== 'string' || args.goal.trim() === '')
        throw rpcError(-32602, 'arguments.goal must say what is wanted.')
      return { agent: name, goal: args.goal, metadata: metadataOf(args.goal) }
    }
    if (toolsOf === undefined || !toolsForClients(toolsOf.tools).some((tool) => tool.name === name))
      throw rpcError(-32602, `There is no tool ${name}.`)
    const goal = `Call ${name}.`
    return {
      agent: oneCallName(toolsOf.name),
      goal,
      metadata: { ...metadataOf(goal), ...oneCallMetadata(name, args) },
    }
  }

  /** Drives a run in front of its client: its questions are asked, its steps are progress, to leave is to cancel. */
  async #attend(runId: RunId, call: ServedCall): Promise<JsonObject> {
    const { engine } = this.#options
    const cancel = (): void => {
      if (!this.#leaving) engine.cancel(runId, 'The client cancelled.', 'mcp').catch(() => undefined)
    }
    call.signal.addEventListener('abort', cancel, { once: true })
    const watching = this.#progress(runId, call)
    try {
      for (;;) {
        const run = await engine.drive(runId)
        if (run.ended !== undefined) return toolResultOf(run, this.#options.whyNot)
        if (this.#leaving) return leftAlone(runId)
        if (!(await this.#ask(runId, run, call))) return parked(runId)
      }
    } finally {
      call.signal.removeEventListener('abort', cancel)
      watching()
    }
  }

  /** False when nobody can be asked, or did not answer. */
  async #ask(runId: RunId, run: RunState, call: ServedCall): Promise<boolean> {
    let answered = false
    for (const request of [...run.inputs.values()]) {
      try {
        const answer = answerOf(request, await call.ask('elicitation/create', formOf(request)))
        if (answer === undefined) continue
        await this.#options.engine.answer(runId, request.requestId, answer, 'mcp')
        answered = true
      } catch (error) {
        if (!isTenonError(error) || call.signal.aborted) throw error
        // A wrong shape is asked for again; a client that cannot be asked leaves the run parked.
        answered ||= error.code === 'answer-invalid' || error.code === 'request-unknown'
      }
    }
    return answered
  }

  #progress(runId: RunId, { progress }: ServedCall): () => void {
    if (progress === undefined) return () => undefined
    const stop = new AbortController()
    let steps = 0
    const watch = async (): Promise<void> => {
      for await (const item of this.#options.engine.follow(runId, { signal: stop.signal }))
        if (item.kind === 'event' && item.event.kind === 'call-proposed')
          progress({ progress: ++steps, message: item.event.call.tool })
    }
    watch().catch(() => undefined)
    return () => stop.abort()
  }

  /** Drives a task to its next rest, and tells those who listen how it stands. */
  #drive(runId: RunId, caller: Caller): void {
    const { engine, summary, whyNot } = this.#options
    engine
      .drive(runId)
      .then((run) => {
        const task = taskOfRun(runId, run, summary(runId)?.createdAt ?? run.at, whyNot) as unknown as JsonObject
        for (const follower of this.#followers)
          if (follower.caller.principal === caller.principal)
            follower.onChange({ kind: 'other', method: 'notifications/tasks', params: task })
      })
      .catch(() => undefined)
  }

  async #task(call: ServedCall) {
    const { runId, run, createdAt } = await this.#runOf(call)
    // After a restart the first question for it takes it up again.
    if (run.ended === undefined && run.inputs.size === 0) this.#drive(runId, call.caller)
    return taskOfRun(runId, run, createdAt, this.#options.whyNot)
  }

  async #update(call: ServedCall): Promise<JsonObject> {
    const { runId, run } = await this.#runOf(call)
    for (const [key, elicited] of Object.entries(call.inputResponses ?? {})) {
      const request = run.inputs.get(RequestId(key))
      if (request === undefined || !isJsonObject(elicited)) continue
      const answer = answerOf(request, elicited)
      if (answer !== undefined) await this.#options.engine.answer(runId, request.requestId, answer, 'mcp')
    }
    this.#drive(runId, call.caller)
    return {}
  }

  /** A run of somebody else is as good as none. */
  async #runOf({ caller, params }: ServedCall): Promise<{ runId: RunId; run: RunState; createdAt: number }> {
    requireTasks(caller.capabilities)
    const runId = RunId(String(params.taskId))
    const found = this.#options.summary(runId)
    if (found === undefined) throw noTask(runId)
    const run = await this.#options.engine.state(runId)
    if (run.submission.principal !== caller.principal) throw noTask(runId)
    return { runId, run, createdAt: found.createdAt }
  }
}

const parked = (runId: RunId): JsonObject =>
  failure(
    `The run ${runId} waits for an answer that this client cannot give. It goes on with: tenon runs answer ${runId}`,
  )

const leftAlone = (runId: RunId): JsonObject =>
  failure(`The server stops. The run ${runId} goes on when it is back; to call again would begin another one.`)

const failure = (text: string): JsonObject => ({ content: [{ type: 'text', text }], isError: true })
