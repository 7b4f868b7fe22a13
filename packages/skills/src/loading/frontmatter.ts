/** The two parts of a SKILL.md, before any of it is understood. Lines count from 1 in the file. */
export type Parts =
  | {
      readonly kind: 'parts'
      readonly yaml: string
      readonly yamlLine: number
      readonly body: string
      readonly bodyLine: number
      /** Blank lines or comments stood before the frontmatter. */
      readonly late: boolean
    }
  | { readonly kind: 'no-frontmatter' | 'unclosed-frontmatter'; readonly line: number }
  | { readonly kind: 'frontmatter-language'; readonly line: number; readonly word: string }

const FENCE = /^---[ \t]*$/
const OPENING = /^---(?!-)[ \t]*(\S.*)?$/

/**
 * Splits at the first two lines of `---`. Only line breaks, dashes and blanks are looked at; nothing is parsed or run.
 * The text has LF line ends.
 */
export function splitFrontmatter(text: string): Parts {
  const start = skipComments(text)
  if (start === undefined) return { kind: 'no-frontmatter', line: 1 }
  const line = lineOf(text, start)
  const firstEnd = endOfLine(text, start)
  const opening = OPENING.exec(text.slice(start, firstEnd))
  if (opening === null) return { kind: 'no-frontmatter', line }
  if (opening[1] !== undefined) return { kind: 'frontmatter-language', line, word: opening[1].slice(0, 40).trim() }
  const yamlStart = firstEnd + 1
  for (let at = yamlStart, here = line + 1; at <= text.length; here++) {
    const end = endOfLine(text, at)
    if (FENCE.test(text.slice(at, end)))
      return {
        kind: 'parts',
        yaml: text.slice(yamlStart, at),
        yamlLine: line + 1,
        body: text.slice(end + 1),
        bodyLine: here + 1,
        late: start > 0,
      }
    at = end + 1
  }
  return { kind: 'unclosed-frontmatter', line }
}

/** Where the first thing stands that is neither blank nor an HTML comment; undefined where a comment does not end. */
function skipComments(text: string): number | undefined {
  let at = 0
  for (;;) {
    const blank = /[ \t]*\n/y
    blank.lastIndex = at
    if (blank.test(text)) {
      at = blank.lastIndex
      continue
    }
    const comment = /[ \t]*<!--/y
    comment.lastIndex = at
    if (!comment.test(text)) return at
    const end = text.indexOf('-->', comment.lastIndex)
    if (end < 0) return undefined
    at = end + 3
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The number of the line that an offset stands in. */
export function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
