#!/usr/bin/env node
// check-report.mjs REPORT.md [--json]: what is wrong with the format. Exit code 1 if anything is.
import { readFileSync } from 'node:fs'
import { checkReport } from './pdf/check-report-format.mjs'
import { reportFont } from './pdf/report-font.mjs'

const json = process.argv.includes('--json')
const [input] = process.argv.slice(2).filter((arg) => arg !== '--json')
if (input === undefined) {
  console.error('usage: check-report.mjs REPORT.md [--json]')
  process.exit(2)
}
const font = reportFont()
const problems = checkReport(readFileSync(input, 'utf8'), (codePoint) => font.glyphOf(codePoint) !== 0)
if (json) console.log(JSON.stringify(problems))
else for (const { line, rule, message } of problems) console.log(`${input}:${line} ${rule}: ${message}`)
if (!json && problems.length === 0) console.log('The format is right.')
process.exit(problems.length === 0 ? 0 : 1)
