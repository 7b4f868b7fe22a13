import type { CallId } from '../content/ids.js'
import type { Tool } from '../ports/tool.js'

/** Bounds how many calls of a run, and of one tool in it, are begun at once. Others wait in the order they came. */
export class Slots {
  #taken = 0
  readonly #byTool = new Map<string, number>()
  readonly #waiting = new Set<CallId>()

  constructor(readonly limit: number) {}

  /** True when the call may begin; otherwise it waits for `next`. */
  take(callId: CallId, tool: Tool): boolean {
    const used = tool.concurrency === undefined ? 0 : (this.#byTool.get(tool.name) ?? 0)
    if (this.#taken >= this.limit || (tool.concurrency !== undefined && used >= tool.concurrency)) {
      this.#waiting.add(callId)
      return false
    }
    this.seize(callId, tool)
    return true
  }

  /** Takes a slot also where none is free: to stop work must not wait for other work. */
  seize(callId: CallId, tool: Tool): void {
    this.#waiting.delete(callId)
    this.#taken++
    if (tool.concurrency !== undefined) this.#byTool.set(tool.name, (this.#byTool.get(tool.name) ?? 0) + 1)
  }

  release(tool: string): void {
    this.#taken--
    const used = this.#byTool.get(tool)
    if (used !== undefined) this.#byTool.set(tool, used - 1)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Calls that wait, oldest first, as long as there are free slots. Taking one while they are walked is fine. */
  *next(): Generator<CallId> {
    for (const callId of this.#waiting) {
      if (this.#taken >= this.limit) return
      yield callId
    }
  }

  forget(callId: CallId): void {
    this.#waiting.delete(callId)
  }
}
