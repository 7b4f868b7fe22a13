#!/usr/bin/env node
// render-pdf.mjs REPORT.md REPORT.pdf: the report as a PDF. The same report is the same bytes.
import { readFileSync, writeFileSync } from 'node:fs'
import { checkReport } from './pdf/check-report-format.mjs'
import { drawChart } from './pdf/draw-chart.mjs'
import { drawMasthead } from './pdf/draw-masthead.mjs'
import { drawQuote } from './pdf/draw-quote.mjs'
import { drawTable } from './pdf/draw-table.mjs'
import { PageFlow } from './pdf/page-flow.mjs'
import { PdfDocument } from './pdf/pdf-document.mjs'
import { readReport } from './pdf/read-report.mjs'
import { reportFont } from './pdf/report-font.mjs'

const [input, output] = process.argv.slice(2)
if (input === undefined || output === undefined) {
  console.error('usage: render-pdf.mjs REPORT.md REPORT.pdf')
  process.exit(2)
}
const font = reportFont()
const markdown = readFileSync(input, 'utf8')
const problems = checkReport(markdown, (codePoint) => font.glyphOf(codePoint) !== 0)
if (problems.length > 0) {
  for (const { line, message } of problems) console.error(`${input}:${line} ${message}`)
  console.error('The report is not rendered before its format is right.')
  process.exit(1)
}
const blocks = readReport(markdown)
const title = blocks.find((block) => block.kind === 'heading')?.text ?? ''
const document = new PdfDocument(font, { title, language: /[\u4e00-\u9fff]/.test(title) ? 'zh-CN' : 'en' })
const flow = new PageFlow(document)
const HEADINGS = [
  { size: 21, leading: 30, before: 0, after: 10 },
  { size: 14, leading: 20, before: 16, after: 4 },
  { size: 11.5, leading: 17, before: 10, after: 2 },
]
const BODY = { size: 10.2, leading: 16.2 }
const GREY = '0.33 0.35 0.38'

for (const [index, block] of blocks.entries()) {
  switch (block.kind) {
    case 'heading': {
      const { size, leading, before, after } = HEADINGS[Math.min(block.level, 3) - 1] ?? HEADINGS[2]
      // A heading takes a few lines of what follows along to its page.
      flow.need(before + leading + after + 44)
      if (!flow.atTop) flow.skip(before)
      flow.passage(block.text, { size, leading, bold: true, colour: '0.1 0.2 0.34' })
      if (block.level === 1) flow.box(flow.left, flow.y - 9, flow.width, 1.2, '0.2 0.42 0.66')
      flow.skip(after + (block.level === 1 ? 8 : 0))
      break
    }
    case 'paragraph':
      flow.passage(block.text, BODY)
      flow.skip(6)
      break
    case 'quote':
      if (blocks[index - 1]?.kind === 'heading' && index === 1) drawMasthead(flow, block.text)
      else drawQuote(flow, block.text)
      break
    case 'code':
      for (const line of block.text.split('\n')) flow.passage(line, { size: 9, leading: 13, indent: 12, colour: GREY })
      flow.skip(6)
      break
    case 'item': {
      const indent = 16 + block.depth * 14
      flow.need(BODY.leading)
      flow.text(block.marker, flow.left + indent - 13, flow.y - BODY.leading, BODY.size)
      flow.passage(block.text, { ...BODY, indent })
      flow.skip(blocks[index + 1]?.kind === 'item' ? 2 : 6)
      break
    }
    case 'source':
      flow.need(14)
      flow.text(`[${block.id}]`, flow.left, flow.y - 14, 9, { colour: GREY })
      flow.passage(block.text, { size: 9, leading: 14, indent: 24, colour: GREY })
      flow.skip(2)
      break
    case 'table':
      drawTable(flow, block)
      break
    case 'chart':
      drawChart(flow, block)
      break
  }
}
flow.finish(title)
const bytes = document.bytes()
writeFileSync(output, bytes)
console.log(`${output}: ${document.pages.length} pages, ${bytes.length} bytes`)
