import { randomUUID } from 'node:crypto'
import type { ServerLimits } from '../server-limits.js'
import type { McpService } from '../service.js'
import { HttpSession } from './http-session.js'

/** The sessions of legacy clients: bounded, and gone after a time in which nobody used them. */
export class SessionTable {
  readonly #service: McpService
  readonly #limits: ServerLimits
  readonly #sessions = new Map<string, HttpSession>()
  readonly #sweeper: NodeJS.Timeout

  constructor(service: McpService, limits: ServerLimits) {
    this.#service = service
    this.#limits = limits
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(50, limits.sessionIdleMs / 4)).unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Undefined when there are too many and all are in use. */
  open(principal: string): HttpSession | undefined {
    if (this.#sessions.size >= this.#limits.maxSessions && !this.#makeRoom()) return undefined
    const session = new HttpSession({
      service: this.#service,
      limits: this.#limits,
      principal,
      id: randomUUID(),
    })
    this.#sessions.set(session.id, session)
    return session
  }

  /** A session of somebody else is as good as none. */
  find(id: string, principal: string): HttpSession | undefined {
    const session = this.#sessions.get(id)
    return session?.principal === principal ? session : undefined
  }

  end(session: HttpSession): void {
    this.#sessions.delete(session.id)
    session.close()
  }

  beat(): void {
    for (const session of this.#sessions.values()) session.beat()
  }

  close(): void {
    clearInterval(this.#sweeper)
    for (const session of [...this.#sessions.values()]) this.end(session)
  }

  #sweep(): void {
    const before = Date.now() - this.#limits.sessionIdleMs
    for (const session of [...this.#sessions.values()])
      if (!session.inUse && session.lastUsed < before) this.end(session)
  }

  #makeRoom(): boolean {
    const idle = [...this.#sessions.values()].filter((session) => !session.inUse)
    const oldest = idle.sort((one, other) => one.lastUsed - other.lastUsed)[0]
    if (oldest === undefined) return false
    this.end(oldest)
    return true
  }
}
