import type { Amounts, RunStateName } from '@tenon/kernel'
import {
  isTerminal,
  type PeerArtifact,
  type PeerEvent,
  type PeerMessage,
  type PeerPart,
  type PeerStatus,
  type PeerTask,
} from './peer-task.js'

/**
 * A peer's task as its events tell it. Events of other tasks belong to nobody here, and after the first terminal state
 * nothing changes any more (spec 4.1.3), whatever the peer goes on to say.
 */
export class TaskView {
  #artifacts = new Map<string, PeerArtifact>()
  #status: PeerStatus | undefined
  #contextId = ''
  #reply: PeerMessage | undefined
  #whole = false
  #lastWords: PeerMessage | undefined
  #spent: Amounts | undefined

  /** `taskId` where the task is known already; else the first one that the peer names. */
  constructor(public taskId: string | undefined) {}

  get contextId(): string {
    return this.#contextId
  }

  get status(): PeerStatus | undefined {
    return this.#status
  }

  get state(): RunStateName | undefined {
    return this.#status?.state
  }

  get ended(): boolean {
    return this.#status !== undefined && isTerminal(this.#status.state)
  }

  /** A message in place of a task (spec 3.1.1). */
  get reply(): PeerMessage | undefined {
    return this.#reply
  }

  get artifacts(): readonly PeerArtifact[] {
    return [...this.#artifacts.values()]
  }

  /** Nothing of the task can be missing: it was seen from its beginning, or the peer has shown all of it. */
  get whole(): boolean {
    return this.#whole
  }

  /** What the agent said last, where its history was shown. */
  get lastWords(): PeerMessage | undefined {
    return this.#lastWords
  }

  /** What the peer says that it used. */
  get spent(): Amounts | undefined {
    return this.#spent
  }

  /** The task has ended and cannot be looked at any more: what was seen of it is what there is. */
  settleAsSeen(): void {
    this.#whole = true
  }

  /** True when something is new. */
  apply(event: PeerEvent): boolean {
    if (this.#reply !== undefined) return false
    if (this.ended) return event.kind === 'task' && this.#complete(event.task)
    switch (event.kind) {
      case 'message':
        return this.#take(event.message)
      case 'task': {
        const { id, contextId, status, artifacts, lastWords, spent } = event.task
        if (!this.#isOurs(id, contextId)) return false
        this.#spent = spent ?? this.#spent
        this.#artifacts = new Map(artifacts.map((artifact) => [artifact.artifactId, artifact]))
        this.#whole = true
        this.#lastWords = lastWords
        return this.#become(status)
      }
      case 'status':
        if (!this.#isOurs(event.taskId, event.contextId)) return false
        this.#spent = event.spent ?? this.#spent
        return this.#become(event.status)
      case 'artifact':
        return this.#isOurs(event.taskId, event.contextId) && this.#put(event.artifact, event.append)
    }
  }

  /** What was missed of a task that has ended; how it ended stands. */
  #complete({ id, artifacts, lastWords, spent }: PeerTask): boolean {
    if (this.#whole || id !== this.taskId) return false
    for (const artifact of artifacts) this.#artifacts.set(artifact.artifactId, artifact)
    this.#lastWords = lastWords
    this.#spent = spent ?? this.#spent
    this.#whole = true
    return true
  }

  #take(message: PeerMessage): boolean {
    // A message about a task that we follow tells no more than its status will.
    if (this.taskId !== undefined) return false
    this.#reply = message
    this.#spent = message.spent
    return true
  }

  #isOurs(taskId: string, contextId: string): boolean {
    if (taskId === '') return false
    this.taskId ??= taskId
    if (this.taskId !== taskId) return false
    if (contextId !== '') this.#contextId = contextId
    return true
  }

  #become(status: PeerStatus): boolean {
    const before = this.#status
    this.#status = status
    return before?.state !== status.state || before.message?.messageId !== status.message?.messageId
  }

  /** An append to an artifact that is not there makes it: no text is lost. */
  #put(artifact: PeerArtifact, append: boolean): boolean {
    const before = this.#artifacts.get(artifact.artifactId)
    const parts = append && before !== undefined ? joined(before.parts, artifact.parts) : artifact.parts
    this.#artifacts.set(artifact.artifactId, { ...before, ...artifact, parts })
    return true
  }
}

/** Chunks of one text become one text. */
function joined(before: readonly PeerPart[], more: readonly PeerPart[]): readonly PeerPart[] {
  const parts = [...before]
  for (const part of more) {
    const last = parts.at(-1)
    if (last?.text !== undefined && part.text !== undefined && last.mediaType === part.mediaType)
      parts[parts.length - 1] = { ...last, text: last.text + part.text }
    else parts.push(part)
  }
  return parts
}
