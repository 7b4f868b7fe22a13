import { runsOf } from './page-flow.mjs'

const STYLE = { size: 10.2, leading: 16.2 }
const INDENT = 16

/** A quote with a rule at its left. @param {import('./page-flow.mjs').PageFlow} flow @param {string} text */
export function drawQuote(flow, text) {
  for (const line of flow.lines(runsOf(text), flow.width - INDENT, STYLE.size)) {
    flow.need(STYLE.leading)
    flow.skip(STYLE.leading)
    flow.box(flow.left + 4, flow.y - 4, 2, STYLE.leading, '0.2 0.42 0.66')
    flow.line(line, flow.left + INDENT, flow.y, STYLE.size, '0.25 0.27 0.31')
  }
  flow.skip(8)
}
