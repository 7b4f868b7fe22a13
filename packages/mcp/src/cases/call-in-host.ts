import { createHash } from 'node:crypto'
import {
  CallId,
  type ContentBlock,
  type HandResult,
  type Json,
  type JsonObject,
  land,
  memoryArtifacts,
  type NeedAnswer,
  OUTPUT_BOUNDS,
  type OutputBounds,
  plainText,
  RunId,
  type Tool,
} from '@tenon/kernel'
import type { HostServer, McpHost } from '../host/mcp-host.js'
import type { Operation } from './mcp-case.js'
import { type CaseOutcome, outcomeOf } from './outcome.js'

export type Person = { next(): Json }

/** Answers in the order in which they are asked for, the last one again. */
export function personWith(answers: readonly Json[]): Person {
  let at = 0
  return { next: () => answers[Math.min(at++, answers.length - 1)] ?? { action: 'decline' } }
}

let calls = 0

/**
 * One call as the engine makes it: arguments checked, the hand entered, left when it asks and entered again with the
 * answers, its output landed.
 */
export async function callInHost(
  host: McpHost,
  server: HostServer,
  operation: Operation,
  person: Person,
  onTruncated: () => void,
  viewBudgetBytes: number,
): Promise<CaseOutcome> {
  const progress: number[] = []
  const progressAt: number[] = []
  const abort = new AbortController()
  const timer =
    operation.cancelAfterMs === undefined ? undefined : setTimeout(() => abort.abort(), operation.cancelAfterMs)
  let handle: Json | undefined
  try {
    const args = operation.arguments ?? {}
    const tool = await host.tool(server.config.name, operation.call ?? '')
    if (tool === undefined) return { outcome: 'unknown-tool' }
    const checked = await tool.input.check(args)
    if (!checked.ok) {
      const message = checked.problems.map(({ path, message: what }) => `${path} ${what}`).join('; ')
      return { outcome: 'invalid-arguments', error: { message } }
    }
    const runId = RunId(`run_case${calls++}`)
    let answers: NeedAnswer[] = []
    let result: HandResult | undefined
    for (let entry = 1; result === undefined; entry++) {
      const asked: NeedAnswer[] = []
      const context = {
        runId,
        callId: CallId('call_1'),
        key: runId,
        attempt: entry,
        signal: abort.signal,
        handle,
        budget: undefined,
        answers,
        progress() {},
      }
      for await (const event of eventsOf(tool, args, context)) {
        if (event.kind === 'handle') handle = event.handle
        else if (event.kind === 'progress' && event.done !== undefined) {
          progress.push(event.done)
          progressAt.push(Date.now())
        } else if (event.kind === 'needs-input')
          for (const need of event.needs) {
            if (need.key === 'definition') return { outcome: 'definition-changed', error: { message: need.prompt } }
            asked.push({ key: need.key, resume: need.resume, answer: person.next() })
          }
        else if (event.kind === 'result') result = event
      }
      if (result === undefined && asked.length === 0) return { outcome: 'silent' }
      answers = asked
    }
    return {
      ...(await landed(tool, runId, result, onTruncated, viewBudgetBytes)),
      progress,
      progressAt,
      blocks: kindsOf(result.content),
      ...(handle === undefined ? {} : { handle }),
    }
  } catch (error) {
    return { ...outcomeOf(error), progress, progressAt, ...(handle === undefined ? {} : { handle }) }
  } finally {
    clearTimeout(timer)
  }
}

async function* eventsOf(tool: Tool, args: JsonObject, context: Parameters<Tool['run']>[1]) {
  const ran = tool.run(args, context)
  if (typeof ran === 'object' && ran !== null && Symbol.asyncIterator in ran) yield* ran
  else yield await ran
}

/** A character may have four bytes. */
function boundsFor(viewBudgetBytes: number): OutputBounds {
  const most = Math.floor(viewBudgetBytes / 4)
  if (most >= OUTPUT_BOUNDS.head + OUTPUT_BOUNDS.tail)
    return { ...OUTPUT_BOUNDS, text: Math.min(OUTPUT_BOUNDS.text, most) }
  return { ...OUTPUT_BOUNDS, text: most, head: Math.floor(most / 2), tail: Math.floor(most / 4) }
}

async function landed(
  tool: Tool,
  runId: RunId,
  result: HandResult,
  onTruncated: () => void,
  viewBudgetBytes: number,
): Promise<CaseOutcome> {
  const artifacts = memoryArtifacts((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const safe = await land(result, { runId, name: tool.name }, artifacts, (text) => text, boundsFor(viewBudgetBytes))
  const kept = safe.content.filter((block) => block.kind === 'artifact')
  if (kept.length > 0) onTruncated()
  return {
    outcome: result.isError ? 'tool-error' : 'ok',
    text: plainText(safe.content),
    ...(result.value === undefined ? {} : { structured: result.value }),
    ...(kept.length === 0 ? {} : { artifactBytes: Math.max(...kept.map(({ bytes }) => bytes)) }),
  }
}

/** Which kind of block each part of the result was made of; what cannot be shown is named in its place. */
function kindsOf(content: readonly ContentBlock[]): readonly string[] {
  return content.map((block) => {
    if (block.kind === 'file') return 'resource'
    if (block.kind !== 'text') return block.kind
    if (block.text.startsWith('[a link: ')) return 'resource_link'
    const named = /^\[a block of the kind "([^"]*)"/.exec(block.text)?.[1]
    return named ?? (/^\[\w+:\S*( \([^)]*\))?\]\n/.test(block.text) ? 'resource' : 'text')
  })
}
