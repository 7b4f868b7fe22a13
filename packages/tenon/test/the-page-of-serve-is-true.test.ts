import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { needsProgram } from '../../../test-support/needs.js'
import { ROUTES } from '../src/serve/run-api/routes.js'
import { blocksOf, pageText } from './kit/run-page.js'
import { printedBy, printedPattern } from './kit/shell-blocks.js'
import { servedTenon } from './served-tenon.js'
import { place, WRITING } from './tenon-process.js'

const PAGE = pageText('docs/serve.md')
const KEYS = { ANN: 'key-of-ann', DESK: 'key-of-desk' }

needsProgram('curl')

test('whoever copies the lines of docs/serve.md sees what it says', { timeout: 60_000 }, async () => {
  const here = place()
  const blocks = blocksOf(PAGE)
  const textsOf = (language: string) => blocks.filter((block) => block.language === language).map(({ text }) => text)
  here.write('tenon.yaml', textsOf('yaml').join('\n'))
  const { url } = await servedTenon(here, ['--rehearsal', here.write('writing.yaml', WRITING)], KEYS)
  const said = await printedBy(textsOf('sh'), url, KEYS)
  const told = textsOf('text')
  expect(said).toHaveLength(told.length)
  // Long lines are broken on the page.
  const joined = (text: string) => (text.startsWith('{') ? text.replaceAll('\n', '') : text)
  for (const [index, text] of said.entries()) expect(text).toMatch(printedPattern(joined(told[index] ?? '')))
})

test('the client of the README talks to an agent that knows what was said', async () => {
  const here = place()
  here.write('tenon.yaml', 'agents: { assistant: { public: {} } }')
  const rehearsal = here.write(
    'rehearsal.yaml',
    `rehearsal: assistant
scenes:
  - name: later
    when: { goal: { contains: [And since when?, 'You: Notes.'] } }
    say: { text: Since Monday. }
  - name: first
    when: { goal: { contains: What is in this folder? } }
    say: { text: Notes. }
`,
  )
  const { url } = await servedTenon(here, ['--rehearsal', rehearsal])
  const [client] = blocksOf(pageText('packages/tenon/README.md')).filter(({ language }) => language === 'js')
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(here.folder, 'node_modules'), 'junction')
  const file = here.write('client.mjs', client?.text.replace('http://127.0.0.1:4100', url) ?? '')
  const { stdout } = await promisify(execFile)(process.execPath, [file])
  expect(stdout).toBe('Since Monday.\n')
})

test('docs/serve.md names the paths of the run API and no others', () => {
  const row = PAGE.split('\n').find((line) => line.includes('`/runs`')) ?? ''
  const named = [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path)
  expect(new Set(named)).toEqual(new Set(ROUTES.map(({ path }) => path.replace(/^(\/[^/]+).*$/, '$1'))))
})
