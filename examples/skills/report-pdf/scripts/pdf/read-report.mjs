/**
 * @typedef {{ kind: 'heading', level: number, text: string, line: number }} Heading
 * @typedef {{ kind: 'paragraph' | 'quote' | 'code', text: string, line: number }} Passage
 * @typedef {{ kind: 'item', marker: string, depth: number, text: string, line: number }} Item
 * @typedef {{ kind: 'table', head: string[], align: ('left' | 'right' | 'center')[], rows: string[][], line: number }} Table
 * @typedef {{ kind: 'chart', title: string, unit: string, bars: { label: string, value: number }[], problem?: string, line: number }} Chart
 * @typedef {{ kind: 'source', id: string, text: string, line: number }} Source
 * @typedef {Heading | Passage | Item | Table | Chart | Source} ReportBlock
 */

/**
 * Reads the Markdown that reports are written in: headings, paragraphs, lists, tables, quotes, code, `chart` blocks
 * and footnotes as sources. Lines count from 1.
 *
 * @param {string} markdown
 * @returns {ReportBlock[]}
 */
export function readReport(markdown) {
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r?\n/)
  /** @type {ReportBlock[]} */
  const blocks = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const first = at + 1
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line)
    const item = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/.exec(line)
    const source = /^\[\^([^\]]+)\]:\s*(.*)$/.exec(line)
    if (line.trim() === '' || /^(?:---+|\*\*\*+)\s*$/.test(line)) {
      at++
    } else if (line.startsWith('```')) {
      const end = lines.findIndex((candidate, index) => index > at && candidate.startsWith('```'))
      const body = lines.slice(at + 1, end < 0 ? undefined : end).join('\n')
      blocks.push(line.slice(3).trim() === 'chart' ? readChart(body, first) : { kind: 'code', text: body, line: first })
      at = end < 0 ? lines.length : end + 1
    } else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '', line: first })
      at++
    } else if (line.startsWith('|')) {
      const end = lines.findIndex((candidate, index) => index > at && !candidate.startsWith('|'))
      blocks.push(readTable(lines.slice(at, end < 0 ? undefined : end), first))
      at = end < 0 ? lines.length : end
    } else {
      let end = at + 1
      while (end < lines.length && goesOn(lines[end] ?? '', line)) end++
      const rest = lines.slice(at + 1, end).map((more) => more.replace(/^>\s?/, '').trim())
      const joined = (start) => join([start, ...rest])
      if (source) blocks.push({ kind: 'source', id: source[1] ?? '', text: joined(source[2] ?? ''), line: first })
      else if (item)
        blocks.push({
          kind: 'item',
          marker: /\d/.test(item[2] ?? '') ? (item[2] ?? '') : '•',
          depth: Math.floor((item[1]?.length ?? 0) / 2),
          text: joined(item[3] ?? ''),
          line: first,
        })
      else if (line.startsWith('>'))
        blocks.push({ kind: 'quote', text: joined(line.replace(/^>\s?/, '')), line: first })
      else blocks.push({ kind: 'paragraph', text: joined(line.trim()), line: first })
      at = end
    }
  }
  return blocks
}

/** Whether a line belongs to the passage that began with `start`. @param {string} line @param {string} start */
function goesOn(line, start) {
  if (line.trim() === '' || /^(?:#{1,6}\s|\||```|\[\^[^\]]+\]:)/.test(line)) return false
  if (/^\s*(?:[-*+]|\d+[.)])\s+/.test(line)) return false
  return start.startsWith('>') === line.startsWith('>')
}

/** A line break within Chinese text is no space. @param {readonly string[]} lines */
function join(lines) {
  return lines.reduce((text, line) =>
    /[\u2e80-\u9fff\uff00-\uffef]$/.test(text) && /^[\u2e80-\u9fff\uff00-\uffef]/.test(line)
      ? text + line
      : `${text} ${line}`,
  )
}

/** @param {readonly string[]} lines @param {number} line @returns {Table} */
function readTable(lines, line) {
  const [head = [], rule = [], ...rows] = lines.map(cellsOf)
  const align = rule.map((cell) =>
    cell.startsWith(':') && cell.endsWith(':') ? 'center' : cell.endsWith(':') ? 'right' : 'left',
  )
  return { kind: 'table', head, align, rows, line }
}

/** @param {string} line */
const cellsOf = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

/** `title: …`, `unit: …`, then one `label: number` a line. @param {string} body @param {number} line @returns {Chart} */
function readChart(body, line) {
  /** @type {Chart} */
  const chart = { kind: 'chart', title: '', unit: '', bars: [], line }
  for (const entry of body.split('\n').filter((text) => text.trim() !== '')) {
    const [, key = '', value = ''] = /^(.+?)\s*[:：]\s*(.+)$/.exec(entry.trim()) ?? []
    if (key === 'title') chart.title = value
    else if (key === 'unit') chart.unit = value
    else if (/^-?\d+(?:\.\d+)?$/.test(value)) chart.bars.push({ label: key, value: Number(value) })
    else chart.problem = `"${entry.trim()}" is no "label: number"`
  }
  return chart
}
