// Checks a draft on standard input. Prints one line for each fault, or "ok"; exit code 1 with faults.
import { readFileSync } from 'node:fs'

const SECTIONS = ['## Blocked', '## Done', '## Next']
const MOST_WORDS = 250

const draft = readFileSync(0, 'utf8')
const lines = draft.split('\n').map((line) => line.trim())
const faults = []
for (const section of SECTIONS) if (!lines.includes(section)) faults.push(`the section "${section}" is missing`)
const places = SECTIONS.map((section) => lines.indexOf(section)).filter((place) => place >= 0)
if (places.some((place, index) => index > 0 && place < places[index - 1])) faults.push('the sections are out of order')
const words = draft.split(/\s+/).filter((word) => word !== '').length
if (words > MOST_WORDS) faults.push(`${words} words; at most ${MOST_WORDS}`)

console.log(faults.length === 0 ? 'ok' : faults.join('\n'))
if (faults.length > 0) process.exit(1)
