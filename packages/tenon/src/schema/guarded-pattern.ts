import { createContext, Script } from 'node:vm'

/** A regular expression that cannot run away. */
export type GuardedPattern = {
  /** @throws PatternTimeout when the text takes longer than the guard allows. */
  test(text: string): boolean
  /** Which of the texts match, all under one watchdog. @throws PatternTimeout */
  matching(texts: readonly string[]): readonly number[]
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
export function guardedPattern(source: string, timeoutMs = 100, flags = ''): GuardedPattern {
  const expression = compile(source, flags)
  const repeatsGroup = /\)\s*[*+{]/.test(source)
  const repeats = /[*+{]/.test(source)
  return {
    test(text) {
      if (!repeats || (!repeatsGroup && text.length <= DIRECT_LENGTH)) return expression.test(text)
      return underWatchdog(expression, [text], timeoutMs).length > 0
    },
    matching: (texts) => underWatchdog(expression, texts, timeoutMs),
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

const MATCH_ALL =
  'const found = []; for (let i = 0; i < texts.length; i++) if (expression.test(texts[i])) found.push(i); found'

type Sandbox = { expression?: RegExp; texts?: readonly string[] }

let watchdog: { readonly context: Sandbox; readonly script: Script } | undefined

function underWatchdog(expression: RegExp, texts: readonly string[], timeout: number): readonly number[] {
  watchdog ??= { context: createContext({}), script: new Script(`{ ${MATCH_ALL} }`) }
  const { context, script } = watchdog
  context.expression = expression
  context.texts = texts
  try {
    return script.runInContext(context, { timeout }) as readonly number[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new PatternTimeout(expression.source)
    throw error
  } finally {
    delete context.texts
  }
}
