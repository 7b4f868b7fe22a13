import { HostError } from '../errors.js'
import { guardedPattern } from '../schema/guarded-pattern.js'
import { OutOfTime } from '../schema/within-time.js'

export type LineQuery = { readonly query: string; readonly regex?: boolean; readonly ignoreCase?: boolean }

export type FoundLine = {
  /** Counts from 1. */
  readonly line: number
  /** At most 300 characters of it, around the match where the query is a text. */
  readonly text: string
}

/** Lines that go under one watchdog, and how long it waits: the event loop stands still for no longer than that. */
const BATCH = 1_000
const WATCHDOG_MS = 500
const LONGEST_LINE = 10_000
const SHOWN = 300

/**
 * Finds the lines of a text that hold a text or match an expression, in order.
 * @throws HostError `pattern-invalid` at once; `pattern-too-slow` while lines are found
 */
export function lineFinder({
  query,
  regex = false,
  ignoreCase = false,
}: LineQuery): (content: string) => Iterable<FoundLine> {
  if (regex) return patternFinder(query, ignoreCase)
  return ignoreCase ? foldedFinder(query) : exactFinder(query)
}

function exactFinder(query: string): (content: string) => Iterable<FoundLine> {
  return function* (content) {
    let line = 1
    let begin = 0
    for (let at = content.indexOf(query); at !== -1; ) {
      for (let end = content.indexOf('\n', begin); end !== -1 && end < at; end = content.indexOf('\n', begin)) {
        line++
        begin = end + 1
      }
      const end = content.indexOf('\n', at)
      const whole = content.slice(begin, end === -1 ? content.length : end)
      yield { line, text: excerpt(whole, at - begin) }
      at = end === -1 ? -1 : content.indexOf(query, end)
    }
  }
}

function foldedFinder(query: string): (content: string) => Iterable<FoundLine> {
  const wanted = query.toLowerCase()
  return function* (content) {
    // Folding may change how long a text is, so places are only looked for within a line.
    if (!content.toLowerCase().includes(wanted)) return
    for (const [index, line] of content.split('\n').entries()) {
      const at = line.toLowerCase().indexOf(wanted)
      if (at !== -1) yield { line: index + 1, text: excerpt(line, at) }
    }
  }
}

function patternFinder(query: string, ignoreCase: boolean): (content: string) => Iterable<FoundLine> {
  const pattern = compiled(query, ignoreCase)
  return function* (content) {
    const lines = content.split(/\r?\n/)
    for (let start = 0; start < lines.length; start += BATCH) {
      const batch = lines.slice(start, start + BATCH).map((line) => line.slice(0, LONGEST_LINE))
      for (const index of matching(pattern, batch, query))
        yield { line: start + index + 1, text: excerpt(batch[index] ?? '', 0) }
    }
  }
}

function compiled(query: string, ignoreCase: boolean): ReturnType<typeof guardedPattern> {
  try {
    return guardedPattern(query, WATCHDOG_MS, ignoreCase ? 'i' : '')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new HostError(
      'pattern-invalid',
      `${JSON.stringify(query)} is no regular expression: ${error.message}. To find it as it stands, leave regex out.`,
    )
  }
}

function matching(
  pattern: ReturnType<typeof guardedPattern>,
  lines: readonly string[],
  query: string,
): readonly number[] {
  try {
    return pattern.matching(lines)
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    throw new HostError(
      'pattern-too-slow',
      `The pattern ${JSON.stringify(query)} takes too long. Avoid a repeated group within a repetition, such as (a+)+.`,
    )
  }
}

function excerpt(line: string, at: number): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line
  if (plain.length <= SHOWN) return plain
  const begin = Math.max(0, at - SHOWN / 2)
  return `${begin > 0 ? '…' : ''}${plain.slice(begin, begin + SHOWN)}…`
}
