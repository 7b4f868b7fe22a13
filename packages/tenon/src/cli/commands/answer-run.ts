import {
  type ApprovalAnswer,
  answerItem,
  type InputRequest,
  isJsonObject,
  type Json,
  type JsonObject,
  KernelError,
  RunState,
} from '@tenon/kernel'
import { HostError } from '../../errors.js'
import { readArgumentPattern } from '../consent/argument-pattern-text.js'
import { readAnswer } from '../consent/ask-question.js'
import { driveRun } from '../drive-run.js'
import { EXIT } from '../exit-code.js'
import { hostOfRun } from '../host-of-run.js'
import type { CommonOptions, Io } from '../io.js'
import { openRuns } from '../open-runs.js'
import { resolveRun, rootOf, WAITING } from '../resolve-run.js'

export type AnswerRunOptions = CommonOptions & {
  readonly yes?: boolean
  readonly no?: boolean | string
  readonly text?: string
  readonly value?: string
  readonly remember?: 'run' | 'always'
  readonly only?: string
  readonly args?: string
  readonly leave?: boolean
  readonly json?: boolean
}

/** A run as somebody wrote it, and the request of it that is meant, where they said which. */
type Named = { readonly run: string; readonly request: string | undefined }

/** `tenon runs answer` */
export async function answerRun(
  io: Io,
  written: string,
  requestId: string | undefined,
  options: AnswerRunOptions,
): Promise<number> {
  const named = requestId === undefined ? byRequest(io, written, options) : { run: written, request: requestId }
  if (options.leave) return leaveAnswer(io, named, options)
  const { host, run } = await hostOfRun(io, named.run, WAITING, options)
  try {
    const state = await host.engine.state(run.runId)
    const request = openRequest(state, named.request)
    const answer = answerOf(state, request, options)
    await host.engine.answer(run.runId, request.requestId, answer, 'cli')
    return await driveRun(host.engine, run.runId, io, options, {
      after: state.seq,
      answered: request.requestId,
      contextWindow: host.agent.model.contextWindow,
      inbox: host.store.inbox,
    })
  } finally {
    await host.close()
  }
}

/** A request's own id is enough where only one run has such an open request. */
function byRequest(io: Io, written: string, options: CommonOptions): Named {
  if (!written.includes('/')) return { run: written, request: undefined }
  const { store } = openRuns(io, options)
  try {
    const found = store.runs.openInputs().filter(({ request }) => request.requestId === written)
    const [one, another] = found
    if (one === undefined)
      throw new KernelError(
        'request-unknown',
        `No run waits on a request ${written}. tenon runs list --open shows what is open.`,
      )
    if (another !== undefined)
      throw new HostError(
        'run-ambiguous',
        `Several runs wait on a request ${written}. Name the run too:\n${found.map(({ runId }) => `  tenon runs answer ${runId} ${written}`).join('\n')}`,
      )
    return { run: one.runId, request: written }
  } finally {
    store.close()
  }
}

function openRequest(run: RunState, written: string | undefined): InputRequest {
  const open = [...run.inputs.values()]
  const [one, another] = open
  if (one === undefined || run.ended)
    throw new KernelError(
      'request-unknown',
      run.ended ? `The run has ended: ${run.state}.` : 'The run waits on no answer.',
    )
  if (written === undefined) {
    if (another === undefined) return one
    throw new HostError(
      'usage',
      `The run waits on several answers. Name one of: ${open.map(({ requestId }) => requestId).join(', ')}.`,
    )
  }
  const found = open.find(({ requestId }) => requestId === written)
  if (found !== undefined) return found
  throw new KernelError(
    'request-unknown',
    `The request ${written} is not open. Open: ${open.map(({ requestId }) => requestId).join(', ')}.`,
  )
}

function answerOf(run: RunState, request: InputRequest, options: AnswerRunOptions): Json {
  if (request.kind === 'approval') return approval(run, request, options)
  if (options.yes || options.no !== undefined) {
    const answer = readAnswer(options.yes ? 'yes' : 'no', request.schema)
    if (answer !== undefined && request.schema?.type === 'boolean') return answer
    throw new HostError(
      'usage',
      `This is a question: answer it with --text "…" or --value JSON. It asks: ${request.prompt}`,
    )
  }
  if (options.value !== undefined) return readJson(options.value, '--value')
  if (options.text === undefined)
    throw new HostError('usage', `Answer it with --text "…" or --value JSON. It asks: ${request.prompt}`)
  const answer = readAnswer(options.text, request.schema)
  if (answer === undefined)
    throw new KernelError('answer-invalid', `The answer must fit ${JSON.stringify(request.schema)}.`)
  return answer
}

function approval(run: RunState, request: InputRequest, options: AnswerRunOptions): ApprovalAnswer {
  if (options.no !== undefined)
    return { kind: 'deny', ...(typeof options.no === 'string' ? { reason: options.no } : {}) }
  if (!options.yes) throw new HostError('usage', 'This asks for consent: answer with --yes or --no "why".')
  const args = run.calls.get(request.callId)?.args ?? {}
  if (options.only !== undefined && options.remember === undefined)
    throw new HostError('usage', '--only limits what is remembered: say --remember run or --remember always with it.')
  return {
    kind: 'approve',
    ...(options.remember === undefined ? {} : { remember: options.remember }),
    ...(options.only === undefined ? {} : { pattern: readArgumentPattern(options.only, args) }),
    ...(options.args === undefined ? {} : { args: argumentsOf(options.args) }),
  }
}

function argumentsOf(source: string): JsonObject {
  const value = readJson(source, '--args')
  if (!isJsonObject(value)) throw new HostError('usage', '--args must be a JSON object.')
  return value
}

function readJson(source: string, option: string): Json {
  try {
    return JSON.parse(source) as Json
  } catch (cause) {
    throw new HostError('usage', `${option} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Puts the answer where the next driver finds it, without becoming that driver: nothing but the store is opened.
 */
async function leaveAnswer(io: Io, named: Named, options: AnswerRunOptions): Promise<number> {
  const { store } = openRuns(io, options)
  try {
    const { runId } = rootOf(store, resolveRun(store, named.run, WAITING))
    const state = RunState.of(await store.journal.load(runId))
    const request = openRequest(state, named.request)
    await store.inbox.put(runId, answerItem(request.requestId, answerOf(state, request, options), 'cli'))
    io.stderr.write(`Answered. Whoever drives ${runId} takes it up; else: tenon runs resume ${runId}\n`)
    return EXIT.completed
  } finally {
    store.close()
  }
}
