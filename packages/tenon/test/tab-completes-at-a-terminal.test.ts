import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { terminal } from './kit/terminal.js'
import { place } from './tenon-process.js'

const SERVER = fileURLToPath(new URL('mcp/deploy-server.mjs', import.meta.url))

function prepared() {
  const here = place()
  here.write(
    'r.yaml',
    'rehearsal: r\nscenes:\n  - { name: a, when: { goal: { contains: [b.ts] } }, say: { text: seen } }\n',
  )
  here.write('tenon.yaml', `mcp: { servers: { ops: { command: "${process.execPath}", args: ["${SERVER}"] } } }\n`)
  return here
}

test('in a chat Tab completes the prompt and its argument, as the server proposes them', async () => {
  const person = terminal(prepared(), ['chat', '--rehearsal', 'r.yaml'])
  await person.shows('/help lists')
  person.type('/ops:r\t')
  await person.shows('/ops:review')
  person.type(' b\t')
  await person.shows('b.ts')
  person.type('\r')
  await person.shows('Please review b.ts line by line.')
  await person.shows('seen')
  person.type('/quit\r')
  const { code, screen } = await person.ended
  expect(code).toBe(0)
  // Append-only: nothing moves the cursor up or clears the screen.
  expect(screen).not.toMatch(/\u001b\[(?:\d*[AFH]|[1-3]J|\?1049)/)
})

test('an argument that was left out is asked for, with what the server proposes', async () => {
  const person = terminal(prepared(), ['chat', '--rehearsal', 'r.yaml'])
  await person.shows('/help lists')
  person.type('/ops:review\r')
  await person.shows('file (a.ts | b.ts | areas.md):')
  person.type('b\t')
  await person.shows('b.ts')
  person.type('\r')
  await person.shows('seen')
  person.type('/quit\r')
  expect((await person.ended).code).toBe(0)
})

test('a server that is inspected gets its prompts and templates filled in the same way', async () => {
  const person = terminal(prepared(), ['mcp', 'inspect', '--server', 'ops'])
  await person.shows('Call, get or read what')
  person.type('rev\t')
  await person.shows('review')
  person.type('\r')
  await person.shows('file (a.ts | b.ts | areas.md):')
  person.type('ar\t')
  await person.shows('areas.md')
  person.type('\r')
  await person.shows('Please review areas.md line by line.')
  await person.shows('Call, get or read what')
  person.type('page://{title}\r')
  await person.shows('title (home | help):')
  person.type('help\r')
  await person.shows('The page help.')
  await person.shows('Call, get or read what')
  person.type('\r')
  expect((await person.ended).code).toBe(0)
})
