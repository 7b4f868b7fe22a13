const SIZE = 9
const BAR = 15
const GAP = 8

/**
 * Horizontal bars with their values; negative ones go to the left of the axis.
 *
 * @param {import('./page-flow.mjs').PageFlow} flow @param {import('./read-report.mjs').Chart} chart
 */
export function drawChart(flow, { title, unit, bars }) {
  const { document } = flow
  flow.need(30 + bars.length * (BAR + GAP))
  flow.skip(18)
  flow.text(unit === '' ? title : withUnit(title, unit), flow.left, flow.y, SIZE + 1, { bold: true })
  flow.skip(10)
  const labels = Math.min(170, Math.max(...bars.map(({ label }) => document.widthOf(label, SIZE))) + 12)
  const values = Math.max(...bars.map(({ value }) => document.widthOf(spoken(value), SIZE))) + 10
  const low = Math.min(0, ...bars.map(({ value }) => value))
  const high = Math.max(0, ...bars.map(({ value }) => value))
  const left = flow.left + labels + (low < 0 ? values : 0)
  const scale = (flow.left + flow.width - values - left) / (high - low || 1)
  const axis = left - low * scale
  for (const { label, value } of bars) {
    flow.skip(BAR + GAP)
    const length = Math.abs(value) * scale
    const x = value < 0 ? axis - length : axis
    flow.text(label, flow.left + labels - 8 - document.widthOf(label, SIZE), flow.y + 4, SIZE)
    flow.box(x, flow.y, Math.max(length, 0.5), BAR, value < 0 ? '0.78 0.35 0.3' : '0.2 0.42 0.66')
    const at = value < 0 ? x - 4 - document.widthOf(spoken(value), SIZE) : x + length + 4
    flow.text(spoken(value), at, flow.y + 4, SIZE)
  }
  flow.box(axis - 0.4, flow.y - 4, 0.8, bars.length * (BAR + GAP) + 4, '0.4 0.42 0.45')
  flow.skip(18)
}

/** In the brackets of the script that the title is written in. @param {string} title @param {string} unit */
const withUnit = (title, unit) => (/[\u4e00-\u9fff]/.test(title) ? `${title}（${unit}）` : `${title} (${unit})`)

/** 12345.6 as 12,345.6, whatever the locale of the machine is. @param {number} value */
function spoken(value) {
  const [whole = '', fraction] = String(value).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
