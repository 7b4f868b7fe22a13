import { number, PAGE } from './pdf-document.mjs'

/** @typedef {{ text: string, bold: boolean, mark?: boolean }} Run a `mark` leads to a source: small and raised */

const MARGIN = { left: 64, right: 64, top: 68, bottom: 72 }
/** Characters that must not begin a line, and that must not end one. */
const NOT_FIRST = '，。、；：？！）】》〉」』”’％%),.;:?!]}…—'
const NOT_LAST = '（【《〈「『“‘([{'
const MARK = { size: 0.66, rise: 0.36, colour: '0.2 0.42 0.66' }

/** Lays text and rectangles onto pages, from top to bottom. */
export class PageFlow {
  /** @param {import('./pdf-document.mjs').PdfDocument} document */
  constructor(document) {
    this.document = document
    /** @type {string[][]} */
    this.pages = []
    this.y = 0
    this.left = MARGIN.left
    this.width = PAGE.width - MARGIN.left - MARGIN.right
    this.height = PAGE.height - MARGIN.top - MARGIN.bottom
    this.newPage()
  }

  newPage() {
    this.pages.push([])
    this.y = PAGE.height - MARGIN.top
  }

  /** Nothing stands on this page yet. */
  get atTop() {
    return this.pages.at(-1)?.length === 0
  }

  /** Begins a page where less than this is left. @param {number} height */
  need(height) {
    if (this.y - height < MARGIN.bottom) this.newPage()
  }

  /** @param {number} height */
  skip(height) {
    this.y -= height
  }

  /** @param {string} operators @param {number} [page] */
  draw(operators, page = this.pages.length - 1) {
    this.pages[page]?.push(operators)
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} colour */
  box(x, y, width, height, colour) {
    this.draw(`${colour} rg ${[x, y, width, height].map(number).join(' ')} re f`)
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} size @param {{ bold?: boolean, colour?: string, page?: number }} [style] */
  text(text, x, y, size, { bold = false, colour = '0.13 0.13 0.15', page } = {}) {
    if (text === '') return
    // The font has one weight: a stroke around the letters makes the other one.
    const weight = bold ? `2 Tr ${number(size * 0.028)} w ${colour} RG ` : '0 Tr '
    this.draw(
      `BT ${colour} rg ${weight}/F ${number(size)} Tf ${number(x)} ${number(y)} Td ${this.document.show(text)} Tj ET`,
      page,
    )
  }

  /**
   * Text with line breaks, from the left edge on.
   * @param {string} marked @param {{ size: number, leading: number, indent?: number, bold?: boolean, colour?: string }} style
   */
  passage(marked, { size, leading, indent = 0, bold = false, colour }) {
    for (const line of this.lines(runsOf(marked, bold), this.width - indent, size)) {
      this.need(leading)
      this.y -= leading
      this.line(line, this.left + indent, this.y, size, colour)
    }
  }

  /** @param {readonly Run[]} runs @param {number} x @param {number} y @param {number} size @param {string} [colour] */
  line(runs, x, y, size, colour) {
    for (const run of runs) {
      const { text, bold, mark } = run
      if (mark) this.text(text, x, y + size * MARK.rise, size * MARK.size, { colour: MARK.colour })
      else this.text(text, x, y, size, { bold, ...(colour === undefined ? {} : { colour }) })
      x += this.widthOf(run, size)
    }
  }

  /** Points. @param {Run} run @param {number} size */
  widthOf({ text, mark }, size) {
    return this.document.widthOf(text, mark ? size * MARK.size : size)
  }

  /** Points that a line takes. @param {readonly Run[]} line @param {number} size */
  lineWidth(line, size) {
    const last = line.at(-1)
    const blanks =
      last === undefined ? 0 : this.widthOf(last, size) - this.widthOf({ ...last, text: last.text.trimEnd() }, size)
    return line.reduce((sum, run) => sum + this.widthOf(run, size), 0) - blanks
  }

  /** @param {readonly Run[]} runs @param {number} width @param {number} size @returns {Run[][]} */
  lines(runs, width, size) {
    /** @type {Run[][]} */
    const lines = [[]]
    let used = 0
    for (const piece of piecesOf(runs)) {
      const wide = this.widthOf({ ...piece, text: piece.text.trimEnd() }, size)
      const line = lines.at(-1) ?? []
      // A mark stays with what it is the mark of, and so does what must not begin a line.
      const stays = piece.mark || (line.at(-1)?.mark && NOT_FIRST.includes(piece.text[0] ?? ''))
      if (!stays && used > 0 && used + wide > width) {
        lines.push([])
        used = 0
      }
      const text = used === 0 && line.length > 0 ? piece.text.trimStart() : piece.text
      append(lines.at(-1) ?? [], { ...piece, text })
      used += this.widthOf({ ...piece, text }, size)
    }
    return lines
  }

  /** Ends the document: its title and a page number at the foot of each page. @param {string} title */
  finish(title) {
    const count = this.pages.length
    const style = { colour: '0.45 0.45 0.48' }
    for (const [page] of this.pages.entries()) {
      const text = `${page + 1} / ${count}`
      this.draw(`0.82 0.84 0.87 rg ${number(this.left)} 54 ${number(this.width)} 0.5 re f`, page)
      this.text(title, this.left, 40, 8, { ...style, page })
      this.text(text, this.left + this.width - this.document.widthOf(text, 8), 40, 8, { ...style, page })
    }
    this.document.pages.push(...this.pages.map((operators) => operators.join('\n')))
  }
}

/** `**bold**`, `` `code` `` and the marks `[^1]`; everything else stays as it is. @param {string} marked @param {boolean} bold @returns {Run[]} */
export function runsOf(marked, bold = false) {
  return marked
    .replace(/\[([^\]^][^\]]*)\]\((\S+?)\)/g, '$1 ($2)')
    .split(/(\*\*[^*]+\*\*|`[^`]+`|(?<![\w*])\*[^*\s][^*]*\*(?![\w*])|(?:\[\^[^\]]+\])+)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('[^')) return { text: part.slice(2, -1).replaceAll('][^', ', '), bold: false, mark: true }
      if (part.startsWith('**')) return { text: part.slice(2, -2), bold: true }
      return { text: /^[`*].+[`*]$/.test(part) ? part.slice(1, -1) : part, bold }
    })
}

/** What may stand at the beginning of a line: words, and single characters of Chinese. @param {readonly Run[]} runs */
function* piecesOf(runs) {
  for (const run of runs) {
    const { text, bold, mark } = run
    if (mark) {
      yield run
      continue
    }
    const parts =
      text.match(/[\u2e80-\u9fff\uff00-\uffef\u3000-\u303f]|[^\s\u2e80-\u9fff\uff00-\uffef\u3000-\u303f]+\s*|\s+/g) ??
      []
    let held = ''
    for (const [index, part] of parts.entries()) {
      held += part
      const next = parts[index + 1]
      const stays = next !== undefined && (NOT_FIRST.includes(next[0] ?? '') || NOT_LAST.includes(part))
      if (stays) continue
      yield { text: held, bold }
      held = ''
    }
  }
}

/** @param {Run[]} line @param {Run} run */
function append(line, run) {
  const last = line.at(-1)
  if (last !== undefined && last.bold === run.bold && !last.mark && !run.mark) last.text += run.text
  else line.push(run)
}
