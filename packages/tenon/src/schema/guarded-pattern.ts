import { withinTime } from './within-time.js'

/** A regular expression that cannot run away. */
export type GuardedPattern = {
  /** @throws OutOfTime when the text takes longer than the guard allows. */
  test(text: string): boolean
  /** Which of the texts match, all within one time. @throws OutOfTime */
  matching(texts: readonly string[]): readonly number[]
  /** The pattern itself: compilers tell patterns apart by it. */
  toString(): string
}

const DIRECT_LENGTH = 2_000

/**
 * Patterns come from tool schemas of strangers, texts from models. A pattern that repeats a group can backtrack
 * exponentially, so it runs under a watchdog; others do on long texts only.
 * @throws SyntaxError when the pattern is none, with or without the `u` flag.
 */
export function guardedPattern(source: string, timeoutMs = 250, flags = ''): GuardedPattern {
  const expression = compile(source, flags)
  const repeatsGroup = /\)\s*[*+{]/.test(source)
  const repeats = /[*+{]/.test(source)
  return {
    test(text) {
      if (!repeats || (!repeatsGroup && text.length <= DIRECT_LENGTH)) return expression.test(text)
      return withinTime(timeoutMs, () => expression.test(text))
    },
    matching: (texts) =>
      withinTime(timeoutMs, () => {
        const found: number[] = []
        for (const [index, text] of texts.entries()) if (expression.test(text)) found.push(index)
        return found
      }),
    toString: () => String(expression),
  }
}

/** JSON Schema asks for Unicode semantics; many published patterns have escapes that are only legal without. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `u${flags}`)
  } catch {
    return new RegExp(source, flags)
  }
}
