/** A file that the body links to. `leaves`: it lies outside the skill folder. `path` is normalised and relative. */
export type Reference = { readonly path: string; readonly line: number; readonly leaves: boolean }

const LINK = /\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/g
const CODE_SPAN = /(`+)(?!`)[^\n]*?[^`]\1(?!`)/g
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/gm

/** The Markdown links of a body to files, outside of code. Addresses, anchors and titles are left out. */
export function referencesOf(body: string, firstLine: number): readonly Reference[] {
  const references: Reference[] = []
  const fences = fencesOf(body)
  let line = firstLine
  let counted = 0
  // From one line with a link to the next: most have none.
  for (let link = body.indexOf(']('); link >= 0; ) {
    const start = body.lastIndexOf('\n', link) + 1
    const end = lineEnd(body, link)
    for (; counted < start; counted = lineEnd(body, counted) + 1) line++
    if (!fences.some(([from, to]) => start >= from && start < to))
      for (const [, bracketed, bare] of body
        .slice(start, Math.min(end, start + MAX_LINE))
        .replace(CODE_SPAN, '')
        .matchAll(LINK)) {
        const reference = referenceOf(bracketed ?? bare ?? '', line)
        if (reference) references.push(reference)
      }
    link = body.indexOf('](', end)
  }
  return references
}

/** From where to where code stands, by offset. A fence that is not closed goes on to the end. */
function fencesOf(body: string): readonly (readonly [number, number])[] {
  if (!body.includes('](')) return []
  const fences: [number, number][] = []
  let open: { readonly from: number; readonly marks: string } | undefined
  for (const { index, 1: marks = '', 2: rest = '' } of body.matchAll(FENCE)) {
    if (open === undefined) {
      // A backtick behind the marks makes them a code span that opens a line.
      if (marks[0] === '~' || !rest.includes('`')) open = { from: index, marks }
    } else if (marks.startsWith(open.marks) && rest.trim() === '') {
      fences.push([open.from, index])
      open = undefined
    }
  }
  if (open !== undefined) fences.push([open.from, body.length])
  return fences
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Patterns over one endless line are not worth their time. */
const MAX_LINE = 20_000

function referenceOf(target: string, line: number): Reference | undefined {
  const anchor = target.indexOf('#')
  const bare = decoded(anchor < 0 ? target : target.slice(0, anchor)).trim()
  if (bare === '' || bare.startsWith('//') || bare.startsWith('www.')) return undefined
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
  if (!target.includes('%')) return target
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
