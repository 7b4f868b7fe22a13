import { type Redact, redactor } from '@tenon/kernel'

/** Tokens of sign-ins change by the hour; those that are long over are nothing to take out any more. */
const MOST_LEARNED = 256

/** The secrets that a host knows: those of its configuration, and what it learns while it runs. */
export class KnownSecrets {
  readonly #fixed: readonly string[]
  readonly #learned = new Set<string>()
  #redact: Redact

  constructor(fixed: readonly string[] = []) {
    this.#fixed = fixed
    this.#redact = redactor(fixed)
  }

  /** Taken out from now on, wherever it comes up. */
  learn(secret: string): void {
    if (this.#learned.has(secret)) return
    this.#learned.add(secret)
    const [oldest] = this.#learned
    if (this.#learned.size > MOST_LEARNED && oldest !== undefined) this.#learned.delete(oldest)
    this.#redact = redactor([...this.#fixed, ...this.#learned])
  }

  readonly redact: Redact = (text) => this.#redact(text)
}
