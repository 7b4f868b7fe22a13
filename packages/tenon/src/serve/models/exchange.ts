import type { ServerResponse } from 'node:http'
import { type ErrorRecord, isJsonObject, type JsonObject, type RunId, type RunState } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import type { Caller } from '../gate.js'
import { openAiError, retryHeader } from './openai-error.js'
import type { SentAgain } from './sent-again.js'
import type { Segment } from './take-input.js'
import type { ToldTexts } from './told-texts.js'

/** One request of a client of the OpenAI API that may come in. */
export type Exchange = {
  readonly host: Host
  readonly told: ToldTexts
  readonly again: SentAgain
  /** How often the client has sent the request before, as it says. */
  readonly retryCount: string | undefined
  readonly caller: Caller
  readonly body: JsonObject
  readonly response: ServerResponse
  /** Aborted when the client has gone, or the server stops. */
  readonly signal: AbortSignal
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

/** The header that names the run, for whoever wants to follow it at the run API. */
export const RUN_HEADER = 'x-tenon-run'

/**
 * What a client asks of a model and an agent cannot do. What only colours the answer, such as a temperature or tools
 * that may be used, is left to the agent.
 * @throws HostError `request-invalid`
 */
export function refuseImpossible({ n, tool_choice: choice, response_format: format, text }: JsonObject): void {
  if (typeof n === 'number' && n > 1) throw impossible('one answer to a request', 'n')
  if (choice === 'required' || isJsonObject(choice)) throw impossible('its own tools', 'tool_choice')
  const shape = isJsonObject(text) ? text.format : format
  if (isJsonObject(shape) && shape.type !== 'text')
    throw impossible('the shape that its configuration names (output)', 'a response format')
}

const impossible = (has: string, without: string): HostError =>
  new HostError('request-invalid', `An agent has ${has}: leave ${without} out.`)

/** How long until it is looked again whether an answer was taken by another process. Milliseconds. */
const LOOK_AGAIN_MS = 100

/** The run once it has ended or waits for people, with all answers that were given taken; undefined when the server stops. */
export async function atRest(
  { engine }: Host,
  { runId, answered }: Segment,
  stopping: AbortSignal,
): Promise<RunState | undefined> {
  for (;;) {
    const run = await engine.drive(runId)
    if (run.ended !== undefined) return run
    const isTaken = [...answered].every((requestId) => !run.inputs.has(requestId))
    if (isTaken && run.inputs.size > 0 && run.idle) return run
    if (stopping.aborted) return undefined
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** The client is not to ask again: that would be another run. */
export const stopsNow = (runId: RunId): ErrorRecord => ({
  code: 'server-stopping',
  message: `The server stops. The run ${runId} goes on when it is back; GET /runs/${runId} shows it then.`,
  retryable: false,
})

/** A run that has no answer. */
export function answerRunError(response: ServerResponse, told: ErrorRecord, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', ...retryHeader(told) })
  response.end(JSON.stringify(openAiError(told, status)))
}
