import {
  type ContentBlock,
  errorRecord,
  type HandResult,
  type Json,
  type JsonObject,
  type RunStateName,
  type Trust,
  text,
} from '@tenon/kernel'
import { blockOfPart } from '../mapping/part-blocks.js'
import type { WirePart } from '../mapping/wire-types.js'
import { PeerError, type PeerErrorCode } from './peer-error.js'
import type { PeerQuestion } from './peer-question.js'
import { type PeerArtifact, type PeerPart, wordsOf } from './peer-task.js'
import type { TaskView } from './task-view.js'

const FAILURES: Readonly<Partial<Record<RunStateName, { readonly code: PeerErrorCode; readonly word: string }>>> = {
  failed: { code: 'peer-task-failed', word: 'failed' },
  rejected: { code: 'peer-task-rejected', word: 'rejected the task' },
  canceled: { code: 'peer-task-canceled', word: 'canceled the task' },
}

/** What came of a task that ended, or of a message in its place. Its words are data of the peer, never orders. */
export function resultOf(peer: string, trust: Trust, view: TaskView): HandResult {
  const { reply, status, artifacts, lastWords } = view
  const failure = status === undefined ? undefined : FAILURES[status.state]
  // Some agents say their result and hand nothing over.
  const spoken = artifacts.length === 0 ? lastWords : undefined
  const parts = (reply ?? status?.message ?? spoken)?.parts ?? []
  const said = blocksOf(parts)
  const made = artifacts.flatMap((artifact) => artifactBlocks(artifact, artifacts.length > 1))
  const begin = failure === undefined ? [] : [text(`${peer} ${failure.word}.`)]
  const content = [...begin, ...said, ...made]
  const error =
    failure && errorRecord(new PeerError(failure.code, `${peer} ${failure.word}: ${wordsOf(parts).slice(0, 2_000)}`))
  return {
    kind: 'result',
    content: content.length > 0 ? content : [text(`${peer} finished and gave nothing back.`)],
    value: taskValue(peer, view),
    ...(error === undefined ? {} : { isError: true, error }),
    provenance: { source: 'peer', name: peer, trust },
  }
}

/** A task that has not ended, as an observation: its state, what there is of its result, and what it asks. */
export function standingOf(peer: string, trust: Trust, view: TaskView, asked: PeerQuestion | undefined): HandResult {
  const { taskId = '', state = 'working', status, artifacts } = view
  const words = wordsOf(status?.message?.parts ?? []).slice(0, MOST_WORDS)
  const said = words === '' ? '' : asked === undefined ? ` It says: ${words}` : ` It asks: ${words}`
  const made = artifacts.flatMap((artifact) => artifactBlocks(artifact, true))
  return {
    kind: 'result',
    content: [
      text(`${peer} has the task ${taskId}: ${state}.${said}`),
      ...(made.length === 0 ? [] : [text('So far:'), ...made]),
    ],
    value: taskValue(peer, view),
    provenance: { source: 'peer', name: peer, trust },
  }
}

const MOST_WORDS = 8_000

function artifactBlocks({ name, parts }: PeerArtifact, named: boolean): readonly ContentBlock[] {
  const blocks = blocksOf(parts)
  return named && name !== undefined && blocks.length > 0 ? [text(`[${name.slice(0, 200)}]`), ...blocks] : blocks
}

/** A link is shown, not followed: only the model and its policy decide whether it is fetched (spec 14.1). */
function blocksOf(parts: readonly PeerPart[]): readonly ContentBlock[] {
  const blocks: ContentBlock[] = []
  const words = wordsOf(parts)
  if (words !== '') blocks.push(text(words))
  for (const part of parts) {
    if (part.text !== undefined) continue
    if (part.url === undefined) blocks.push(blockOfPart(part as WirePart))
    else blocks.push(text(`[link${part.filename === undefined ? '' : ` to ${part.filename}`}: ${part.url}]`))
  }
  return blocks
}

/** The task as data, without the bytes of files: those are kept as artifacts of the run. */
function taskValue(peer: string, view: TaskView): JsonObject {
  const { taskId, contextId, state, reply, artifacts } = view
  return {
    peer,
    ...(taskId === undefined ? {} : { taskId, contextId, state: state ?? 'working' }),
    ...(reply === undefined ? {} : { message: { parts: reply.parts.map(partJson) } }),
    artifacts: artifacts.map(({ artifactId, name, parts }) => ({
      artifactId,
      ...(name === undefined ? {} : { name }),
      parts: parts.map(partJson),
    })),
  }
}

function partJson({ raw, ...part }: PeerPart): Json {
  return (raw === undefined ? part : { ...part, bytes: Math.floor((raw.length * 3) / 4) }) as JsonObject
}
