import { runsOf } from './page-flow.mjs'

const STYLE = { size: 9, leading: 14 }
const PAD = 10

/**
 * What stands below the title, for whom and until when: its parts, parted by ` · `, one below another on a shade.
 *
 * @param {import('./page-flow.mjs').PageFlow} flow @param {string} text
 */
export function drawMasthead(flow, text) {
  const lines = text.split(' · ').flatMap((part) => flow.lines(runsOf(part), flow.width - PAD * 2, STYLE.size))
  const height = lines.length * STYLE.leading + PAD * 1.4
  flow.need(height)
  flow.box(flow.left, flow.y - height, flow.width, height, '0.945 0.955 0.97')
  flow.skip(PAD * 0.5)
  for (const line of lines) {
    flow.skip(STYLE.leading)
    flow.line(line, flow.left + PAD, flow.y, STYLE.size)
  }
  flow.skip(PAD * 0.9 + 8)
}
