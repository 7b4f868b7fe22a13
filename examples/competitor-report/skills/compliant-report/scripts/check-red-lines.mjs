#!/usr/bin/env node
// check-red-lines.mjs FILE.md [--json]: which lines break which red line. What passes is left as FILE.checked.md, byte for
// byte; exit code 1 if anything is broken.
import { readFileSync, writeFileSync } from 'node:fs'
import { brokenLines } from './broken-lines.mjs'

const json = process.argv.includes('--json')
const [file] = process.argv.slice(2).filter((arg) => arg !== '--json')
if (file === undefined) {
  console.error('usage: check-red-lines.mjs FILE.md [--json]')
  process.exit(2)
}
const text = readFileSync(file, 'utf8')
const broken = brokenLines(text)
if (json) console.log(JSON.stringify(broken))
else
  for (const { line, rule, found, advice } of broken)
    console.log(`${file}:${line} red line ${rule}: "${found}". ${advice}`)
if (broken.length > 0) process.exit(1)
writeFileSync(file.replace(/(?:\.md)?$/, '.checked.md'), text)
if (!json) console.log('No red line is broken.')
