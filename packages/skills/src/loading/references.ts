/** A file that the body links to. `leaves`: it lies outside the skill folder. `path` is normalised and relative. */
export type Reference = { readonly path: string; readonly line: number; readonly leaves: boolean }

const LINK = /\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/g
const CODE_SPAN = /(`+)(?!`)[^\n]*?[^`]\1(?!`)/g
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/

/** The Markdown links of a body to files, outside of code. Addresses, anchors and titles are left out. */
export function referencesOf(body: string, firstLine: number): readonly Reference[] {
  if (!body.includes('](')) return []
  const references: Reference[] = []
  let fence: string | undefined
  for (const [index, line] of body.split('\n').entries()) {
    const marks = FENCE.exec(line)
    if (fence !== undefined) {
      if (marks?.[1]?.startsWith(fence) && marks[2]?.trim() === '') fence = undefined
      continue
    }
    // A backtick after the marks makes it a code span that opens a line.
    if (marks?.[1] !== undefined && !(marks[1][0] === '`' && marks[2]?.includes('`'))) {
      fence = marks[1]
      continue
    }
    if (!line.includes('](')) continue
    for (const [, bracketed, bare] of line.slice(0, MAX_LINE).replace(CODE_SPAN, '').matchAll(LINK)) {
      const reference = referenceOf(bracketed ?? bare ?? '', firstLine + index)
      if (reference) references.push(reference)
    }
  }
  return references
}

/** Patterns over one endless line are not worth their time. */
const MAX_LINE = 20_000

function referenceOf(target: string, line: number): Reference | undefined {
  const bare = decoded(target.replace(/#.*$/s, '')).trim()
  if (bare === '' || bare.startsWith('//')) return undefined
  if (/^[A-Za-z]:[\\/]/.test(bare) || /^[\\/~]/.test(bare)) return { path: bare, line, leaves: true }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(bare)) return undefined
  const parts: string[] = []
  for (const part of bare.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return { path: bare, line, leaves: true }
  }
  return { path: parts.join('/'), line, leaves: false }
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
