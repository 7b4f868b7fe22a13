import { HostError } from '../errors.js'

export type Edit = { readonly old: string; readonly new: string; readonly all?: boolean }

export type Edited = {
  readonly text: string
  /** Lines at which a replacement was made, as they counted before. */
  readonly lines: readonly number[]
}

const MOST_LINES_TOLD = 10

/**
 * Replaces `old`, which must occur exactly once unless `all` is set. In a file whose lines all end in CRLF, line ends
 * are matched and written as CRLF; otherwise every character counts.
 * @throws HostError `edit-no-match`, `edit-ambiguous`, with the lines that come near
 */
export function exactEdit(content: string, edit: Edit, shown: string): Edited {
  if (edit.old === '') throw noMatch('The old text is empty; write_file writes a whole file.')
  if (edit.old === edit.new) throw noMatch('The old and the new text are the same; there is nothing to do.')
  const asWritten = usesCrlf(content) ? toCrlf : (text: string) => text
  const old = asWritten(edit.old)
  const places = occurrences(content, old)
  const [first] = places
  if (first === undefined)
    throw noMatch(`The old text does not occur in ${JSON.stringify(shown)}. ${nearMiss(content, edit.old)}`)
  const lines = linesOf(content, places)
  if (places.length > 1 && edit.all !== true)
    throw new HostError(
      'edit-ambiguous',
      `The old text occurs ${places.length} times in ${JSON.stringify(shown)}, at lines ${listed(lines)}. ` +
        'Give more of the lines around the one that is meant, or set all to replace every one.',
      { detail: { lines: lines.slice(0, 100) } },
    )
  const parts: string[] = []
  let end = 0
  for (const place of places) {
    parts.push(content.slice(end, place))
    end = place + old.length
  }
  parts.push(content.slice(end))
  return { text: parts.join(asWritten(edit.new)), lines }
}

const usesCrlf = (content: string): boolean => content.includes('\r\n') && !/(?<!\r)\n/.test(content)

const toCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n')

function occurrences(content: string, old: string): number[] {
  const places: number[] = []
  for (let at = content.indexOf(old); at !== -1; at = content.indexOf(old, at + old.length)) places.push(at)
  return places
}

function linesOf(content: string, places: readonly number[]): number[] {
  let line = 1
  let from = 0
  return places.map((place) => {
    for (let at = content.indexOf('\n', from); at !== -1 && at < place; at = content.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    return line
  })
}

/** Where a model's text differs in white space only, saying so saves it a round of guessing. */
function nearMiss(content: string, old: string): string {
  const wanted = old.split('\n').map(squeeze)
  while (wanted.length > 1 && wanted[0] === '') wanted.shift()
  while (wanted.length > 1 && wanted.at(-1) === '') wanted.pop()
  const first = wanted[0] ?? ''
  if (first === '') return READ_AGAIN
  const lines = content.split('\n').map(squeeze)
  const near = lines.flatMap((line, index) =>
    line.includes(first) && wanted.every((want, offset) => (lines[index + offset] ?? '').includes(want))
      ? [index + 1]
      : [],
  )
  if (near.length > 0)
    return `It would at line ${listed(near)} if white space did not count: copy it exactly as it stands there.`
  const begins = lines.flatMap((line, index) => (line === first ? [index + 1] : []))
  return begins.length > 0
    ? `Its first line stands at line ${listed(begins)}, what follows differs. ${READ_AGAIN}`
    : READ_AGAIN
}

const READ_AGAIN = 'Read the file again and copy the text exactly.'

const squeeze = (line: string): string => line.replace(/\s+/g, ' ').trim()

const listed = (lines: readonly number[]): string =>
  lines.slice(0, MOST_LINES_TOLD).join(', ') + (lines.length > MOST_LINES_TOLD ? ' …' : '')

const noMatch = (message: string): HostError => new HostError('edit-no-match', message)
