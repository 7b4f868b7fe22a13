import type { RunState } from '@tenon/kernel'
import { SseWriter } from '../run-api/sse-writer.js'
import { agentOfModel, modelOfAgent } from './agent-model.js'
import { askedText } from './asked-text.js'
import { type CompletionHead, chatChunk, chatCompletion, readNotes, runNotes, usageChunk } from './chat-completion.js'
import { Ear } from './ear.js'
import { answerRunError, atRest, type Exchange, RUN_HEADER, refuseImpossible, stopsNow } from './exchange.js'
import { openAiError } from './openai-error.js'
import { BETWEEN, runSpeech } from './run-speech.js'
import { usageOf } from './run-usage.js'
import { type Segment, takeInput } from './take-input.js'
import { statusOfRun, toldOfRun } from './told-of-run.js'
import { endsSo, lastText } from './told-texts.js'
import { readUserInput } from './user-input.js'

/**
 * `POST /v1/chat/completions`. The last message of the user goes to the agent; the conversation goes on where the run
 * that `metadata.run` names left off, or the one that is known to have said what the assistant is said to have said.
 */
export async function chat(exchange: Exchange): Promise<void> {
  const { host, told, again, retryCount, caller, body, response } = exchange
  refuseImpossible(body)
  const agent = agentOfModel(host, body.model)
  const input = readUserInput(body.messages)
  const { run: named, notes } = readNotes(body.metadata)
  const previous = named ?? (input.before === undefined ? undefined : told.find(caller, agent, input.before))
  const ear = body.stream === true ? new Ear(host.engine) : undefined
  try {
    const hasSeen = (run: RunState): boolean => input.before !== undefined && endsSo(input.before, run)
    const known = again.find(caller, body, retryCount)
    const segment = known ?? (await takeInput(host, { caller, agent, input, previous, notes, hasSeen }))
    again.note(caller, body, segment)
    const head = { runId: segment.runId, model: modelOfAgent(agent), created: Math.floor(Date.now() / 1000) }
    response.setHeader(RUN_HEADER, segment.runId)
    if (ear !== undefined) await stream(exchange, agent, segment, head, ear)
    else await answer(exchange, agent, segment, head)
  } finally {
    ear?.close()
  }
}

async function answer(
  { host, told, caller, response, stopping }: Exchange,
  agent: string,
  segment: Segment,
  head: CompletionHead,
): Promise<void> {
  const { runId, after } = segment
  const run = await atRest(host, segment, stopping)
  if (run === undefined) return answerRunError(response, stopsNow(runId), 503)
  if (run.ended !== undefined && run.ended.state !== 'completed')
    return answerRunError(response, toldOfRun(runId, run), statusOfRun(run))
  const content = lastText(run)
  told.note(caller, agent, runId, content)
  const usage = usageOf(host.store.journal.load(runId, after))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(chatCompletion(head, content, usage, runNotes(runId, run))))
}

async function stream(
  { host, told, caller, body, response, signal, stopping }: Exchange,
  agent: string,
  segment: Segment,
  head: CompletionHead,
  ear: Ear,
): Promise<void> {
  const { runId, after } = segment
  const events = new SseWriter(response, { saysRetry: false })
  let said = ''
  const say = (content: string): Promise<void> => {
    said += content
    return events.send('message', chatChunk(head, { content }, null))
  }
  let isBroken = false
  try {
    await events.send('message', chatChunk(head, { role: 'assistant', content: '' }, null))
    const resultOnly = host.agentNamed(agent).output !== undefined
    for await (const speech of runSpeech(host.engine, segment, { signal, resultOnly, ear })) {
      if (speech.kind === 'text-dropped') isBroken = said !== ''
      else if (speech.kind === 'text') {
        // What a client has of a text that broke off cannot be taken back.
        await say(isBroken ? BETWEEN + speech.text : speech.text)
        isBroken = false
      } else if (speech.kind === 'asked') {
        const [first] = speech.requests
        if (first !== undefined) await say((said && BETWEEN) + askedText(await host.engine.state(runId), first))
      }
    }
    if (stopping.aborted) return await events.send('message', openAiError(stopsNow(runId)))
    if (signal.aborted) return
    told.note(caller, agent, runId, said)
    await finish()
  } finally {
    events.close()
  }

  async function finish(): Promise<void> {
    const run = await host.engine.state(runId)
    if (run.ended !== undefined && run.ended.state !== 'completed')
      return events.send('message', openAiError(toldOfRun(runId, run)))
    await events.send('message', chatChunk(head, {}, 'stop', { metadata: runNotes(runId, run) }))
    const options = body.stream_options
    if (typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true)
      await events.send('message', usageChunk(head, usageOf(host.store.journal.load(runId, after))))
    if (!response.destroyed) response.write('data: [DONE]\n\n')
  }
}
