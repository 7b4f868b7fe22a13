import { createContext, Script } from 'node:vm'

/** A regular expression that cannot run away. */
export type GuardedPattern = {
  /** @throws PatternTimeout when the text takes longer than the guard allows. */
  test(text: string): boolean
  /** The pattern itself: compilers tell patterns apart by it. */
  toString(): string
}

/** A pattern took too long on a text: it backtracks without end. */
export class PatternTimeout extends Error {
  constructor(readonly pattern: string) {
    super('the pattern takes too long on this text')
  }
}

const DIRECT_LENGTH = 2_000

/**
 * Patterns come from tool schemas of strangers, texts from models. A pattern that repeats a group can backtrack
 * exponentially, so it runs under a watchdog (some 0.1 ms a test); others do on long texts only.
 * @throws SyntaxError when the pattern is none, with or without the `u` flag.
 */
export function guardedPattern(source: string, timeoutMs = 100): GuardedPattern {
  const expression = compile(source)
  const repeatsGroup = /\)\s*[*+{]/.test(source)
  const repeats = /[*+{]/.test(source)
  return {
    test(text) {
      if (!repeats || (!repeatsGroup && text.length <= DIRECT_LENGTH)) return expression.test(text)
      return underWatchdog(expression, text, timeoutMs)
    },
    toString: () => String(expression),
  }
}

/** JSON Schema asks for Unicode semantics; many published schemas have escapes that are only legal without. */
function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return new RegExp(source)
  }
}

let watchdog: { readonly context: { expression?: RegExp; text?: string }; readonly script: Script } | undefined

function underWatchdog(expression: RegExp, text: string, timeout: number): boolean {
  watchdog ??= { context: createContext({}), script: new Script('expression.test(text)') }
  const { context, script } = watchdog
  context.expression = expression
  context.text = text
  try {
    return script.runInContext(context, { timeout }) === true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new PatternTimeout(expression.source)
    throw error
  } finally {
    delete context.text
  }
}
