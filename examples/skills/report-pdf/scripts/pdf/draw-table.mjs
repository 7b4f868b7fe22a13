import { runsOf } from './page-flow.mjs'

const SIZE = 9
const LEADING = 13
const PAD = 5

/**
 * Columns as wide as what is in them asks for. A table that fits on a page is not broken; of a longer one the head stands
 * again on each page.
 *
 * @param {import('./page-flow.mjs').PageFlow} flow @param {import('./read-report.mjs').Table} table
 */
export function drawTable(flow, { head, align, rows }) {
  const widths = columnWidths(flow, [head, ...rows])
  const linesOf = (cells, bold) =>
    cells.map((cell, i) => flow.lines(runsOf(cell, bold), (widths[i] ?? 0) - PAD * 2, SIZE))
  const heightOf = (lines) => Math.max(1, ...lines.map(({ length }) => length)) * LEADING + PAD
  const row = (cells, bold, shade) => {
    const lines = linesOf(cells, bold)
    const height = heightOf(lines)
    const before = flow.pages.length
    flow.need(height)
    if (flow.pages.length > before && !bold) row(head, true, '0.91 0.93 0.96')
    if (shade) flow.box(flow.left, flow.y - height, flow.width, height, shade)
    let x = flow.left
    for (const [i, cell] of lines.entries()) {
      const width = widths[i] ?? 0
      for (const [n, line] of cell.entries()) {
        const room = width - PAD * 2 - flow.lineWidth(line, SIZE)
        const shift = align[i] === 'right' ? room : align[i] === 'center' ? room / 2 : 0
        flow.line(line, x + PAD + shift, flow.y - (n + 1) * LEADING + 1, SIZE)
      }
      x += width
    }
    flow.skip(height)
    flow.box(flow.left, flow.y, flow.width, 0.5, '0.78 0.8 0.84')
  }
  flow.skip(4)
  const whole = [head, ...rows].reduce((sum, cells, i) => sum + heightOf(linesOf(cells, i === 0)), 0)
  flow.need(whole < flow.height ? whole : 4 * LEADING)
  row(head, true, '0.91 0.93 0.96')
  for (const [index, cells] of rows.entries()) row(cells, false, index % 2 === 1 ? '0.975 0.98 0.985' : undefined)
  flow.skip(10)
}

/** @param {import('./page-flow.mjs').PageFlow} flow @param {readonly (readonly string[])[]} rows */
function columnWidths(flow, rows) {
  const columns = Math.max(...rows.map(({ length }) => length))
  const wanted = Array.from({ length: columns }, (_, i) =>
    Math.min(260, Math.max(30, ...rows.map((row) => flow.lineWidth(runsOf(row[i] ?? '', true), SIZE))) + PAD * 2 + 2),
  )
  const sum = wanted.reduce((a, b) => a + b, 0)
  return wanted.map((width) => (width * flow.width) / sum)
}
