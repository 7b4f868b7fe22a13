import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { TASKS_EXTENSION } from '../../era/modern/meta-keys.js'
import { McpError, rpcError } from '../../errors.js'
import { faultForClient, RPC } from '../rpc-reply.js'
import type { Caller, ChangeFilter, Follower, McpService, ServedCall, ServiceChange, ServiceInfo } from '../service.js'
import { createdTask, declaresTasks, noTask, requireTasks, type ServedTask, type TaskStatus } from './served-task.js'

/** Whether calls of a tool become tasks: never, where the client can follow them, or for such clients only. */
export type TaskMode = 'never' | 'offered' | 'required'

export type TaskedOptions = {
  readonly mode: (tool: string) => TaskMode
  /** What is done sooner is answered at once. Milliseconds. */
  readonly graceMs?: number
  readonly ttlMs?: number
  readonly pollIntervalMs?: number
  readonly maxTasks?: number
  /** The service has tasks of its own: one that is not known here is asked for there. */
  readonly innerTasks?: boolean
}

type Job = {
  readonly principal: string
  readonly stop: AbortController
  readonly questions: Map<string, { readonly request: JsonObject; readonly answered: (answer: JsonObject) => void }>
  task: ServedTask
}

const DEFAULTS = { graceMs: 100, ttlMs: 60 * 60_000, pollIntervalMs: 1000, maxTasks: 1000, innerTasks: false }
const FINAL: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled'])

/**
 * Lets calls of a service outlive their request, by the tasks extension (SEP-2663): what takes longer, or has to ask,
 * becomes a task of its principal. Tasks live in this process; what must survive it has tasks of its own.
 */
export class TaskedService implements McpService {
  readonly #inner: McpService
  readonly #options: TaskedOptions & typeof DEFAULTS
  readonly #jobs = new Map<string, Job>()
  readonly #listeners = new Set<{ readonly principal: string; readonly onChange: (change: ServiceChange) => void }>()

  constructor(inner: McpService, options: TaskedOptions) {
    this.#inner = inner
    this.#options = { ...DEFAULTS, ...options }
  }

  async info(caller: Caller): Promise<ServiceInfo> {
    const info = await this.#inner.info(caller)
    const { extensions } = info.capabilities
    const more = { ...(isJsonObject(extensions) ? extensions : {}), [TASKS_EXTENSION]: {} }
    return { ...info, capabilities: { ...info.capabilities, extensions: more } }
  }

  async request(call: ServedCall): Promise<JsonObject> {
    switch (call.method) {
      case 'tools/call':
        return this.#call(call)
      case 'tasks/get':
      case 'tasks/update':
      case 'tasks/cancel':
        if (this.#options.innerTasks && !this.#jobs.has(String(call.params.taskId))) return this.#inner.request(call)
        return this.#ofTask(call)
      default:
        return this.#inner.request(call)
    }
  }

  follow(caller: Caller, wanted: () => ChangeFilter, onChange: (change: ServiceChange) => void): Follower {
    const listener = { principal: caller.principal, onChange }
    this.#listeners.add(listener)
    const { changed, stop } = this.#inner.follow(caller, wanted, onChange)
    return {
      changed,
      stop: () => {
        this.#listeners.delete(listener)
        stop()
      },
    }
  }

  notified(caller: Caller, method: string, params: JsonObject): void {
    this.#inner.notified?.(caller, method, params)
  }

  ended(caller: Caller): void {
    this.#inner.ended?.(caller)
  }

  toolSchema(caller: Caller, name: string): JsonObject | undefined {
    return this.#inner.toolSchema?.(caller, name)
  }

  /** Stops what still runs. */
  close(): void {
    for (const { stop } of this.#jobs.values()) stop.abort(new McpError('mcp-closed', 'The server is closing.'))
  }

  async #call(call: ServedCall): Promise<JsonObject> {
    const mode = this.#options.mode(String(call.params.name))
    if (mode === 'required') requireTasks(call.caller.capabilities)
    if (mode === 'never' || !declaresTasks(call.caller.capabilities)) return this.#inner.request(call)
    this.#makeRoom()
    const job = this.#newJob(call.caller.principal)
    let asked = (): void => undefined
    const asks = new Promise<undefined>((resolve) => {
      asked = () => resolve(undefined)
    })
    const leave = (): void => job.stop.abort(call.signal.reason)
    call.signal.addEventListener('abort', leave, { once: true })
    const finished = this.#inner.request({
      ...call,
      signal: job.stop.signal,
      log: () => undefined,
      progress: ({ message }) => this.#move(job, message === undefined ? {} : { statusMessage: message }),
      ask: async (method, params) => {
        const answer = this.#question(job, method, params)
        asked()
        return answer
      },
    })
    const done = finished.then(
      (result) => ({ status: 'completed' as const, result }),
      (error) => {
        if (job.stop.signal.aborted) return { status: 'cancelled' as const }
        return { status: 'failed' as const, error: faultForClient(error) as JsonObject }
      },
    )
    const early = await Promise.race([done, asks, pause(this.#options.graceMs)])
    call.signal.removeEventListener('abort', leave)
    if (early !== undefined) return finished
    this.#jobs.set(job.task.taskId, job)
    void done.then((end) => this.#move(job, end))
    return createdTask(job.task)
  }

  #ofTask(call: ServedCall): JsonObject {
    const job = this.#taskOf(call)
    if (call.method === 'tasks/get') return job.task as unknown as JsonObject
    return call.method === 'tasks/update' ? this.#update(call, job) : this.#cancel(job)
  }

  #update(call: ServedCall, job: Job): JsonObject {
    const responses = call.inputResponses ?? {}
    for (const [key, answer] of Object.entries(responses)) {
      const question = job.questions.get(key)
      if (question === undefined || !isJsonObject(answer)) continue
      job.questions.delete(key)
      question.answered(answer)
    }
    this.#showQuestions(job)
    return {}
  }

  #cancel(job: Job): JsonObject {
    if (FINAL.has(job.task.status)) return {}
    job.stop.abort(new McpError('mcp-cancelled', 'The client cancelled the task.'))
    this.#move(job, { status: 'cancelled' })
    return {}
  }

  #taskOf({ caller, params }: ServedCall): Job {
    requireTasks(caller.capabilities)
    const job = this.#jobs.get(String(params.taskId))
    // A task of somebody else is as good as none.
    if (job === undefined || job.principal !== caller.principal) throw noTask(String(params.taskId))
    return job
  }

  #newJob(principal: string): Job {
    const now = new Date().toISOString()
    const { ttlMs, pollIntervalMs } = this.#options
    return {
      principal,
      stop: new AbortController(),
      questions: new Map(),
      task: { taskId: randomUUID(), status: 'working', createdAt: now, lastUpdatedAt: now, ttlMs, pollIntervalMs },
    }
  }

  #question(job: Job, method: string, params: JsonObject): Promise<JsonObject> {
    return new Promise((answered, failed) => {
      job.questions.set(randomUUID(), { request: { method, params }, answered })
      job.stop.signal.addEventListener('abort', () => failed(job.stop.signal.reason), { once: true })
      this.#showQuestions(job)
    })
  }

  #showQuestions(job: Job): void {
    const inputRequests = Object.fromEntries([...job.questions].map(([key, { request }]) => [key, request]))
    this.#move(job, job.questions.size === 0 ? { status: 'working' } : { status: 'input_required', inputRequests })
  }

  #move(job: Job, change: Partial<ServedTask>): void {
    if (FINAL.has(job.task.status)) return
    const { inputRequests, ...task } = job.task
    const kept = change.status === undefined && inputRequests !== undefined ? { inputRequests } : {}
    job.task = { ...task, ...kept, ...change, lastUpdatedAt: new Date().toISOString() }
    if (!this.#jobs.has(job.task.taskId)) return
    const told: ServiceChange = {
      kind: 'other',
      method: 'notifications/tasks',
      params: job.task as unknown as JsonObject,
    }
    for (const { principal, onChange } of this.#listeners) if (principal === job.principal) onChange(told)
  }

  /** Expired tasks go; where that is not enough, the oldest that has ended. */
  #makeRoom(): void {
    const { ttlMs, maxTasks } = this.#options
    const before = Date.now() - ttlMs
    const ended = [...this.#jobs].filter(([, { task }]) => FINAL.has(task.status))
    for (const [id, { task }] of ended) if (Date.parse(task.createdAt) < before) this.#jobs.delete(id)
    const [oldest] = ended
    if (this.#jobs.size >= maxTasks && oldest !== undefined) this.#jobs.delete(oldest[0])
    if (this.#jobs.size >= maxTasks) throw rpcError(RPC.server, 'Too many tasks are running. Try again later.')
  }
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref()
  })
