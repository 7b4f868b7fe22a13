import { describe, expect, test } from 'vitest'
import { needsProgram } from '../../../test-support/needs.js'
import { ROUTES } from '../src/serve/run-api/routes.js'
import { blocksOf, pageText } from './kit/run-page.js'
import { printedBy, printedPattern } from './kit/shell-blocks.js'
import { urlOfServer } from './kit/url-of-server.js'
import { place, WRITING } from './tenon-process.js'

const PAGE = pageText('docs/run-api.md')

/** How many of these a reader gets depends on how early it came: the page shows none. */
const LIVE = /^event: live\ndata: .*\n\n/gm

describe('the examples', () => {
  needsProgram('curl')

  test('whoever copies the lines of docs/run-api.md sees what it says', { timeout: 60_000 }, async () => {
    const here = place()
    const server = here.start(['serve', '--port', '0', '--rehearsal', here.write('writing.yaml', WRITING)])
    const blocks = blocksOf(PAGE)
    const told = blocks.filter(({ language }) => language !== 'sh').map(({ text }) => printedPattern(text))
    const said = await printedBy(
      blocks.filter(({ language }) => language === 'sh').map(({ text }) => text),
      await urlOfServer(server),
    )
    expect(said).toHaveLength(told.length)
    for (const [index, text] of said.entries()) expect(text.replaceAll(LIVE, '')).toMatch(told[index] ?? /$^/)
  })
})

test('docs/run-api.md lists every route with its scope', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+ \/\S+)` +\| (?:`([\w:]+)`)? +\|/gm)].map(([, route, scope]) => [
    route,
    scope,
  ])
  expect(rows).toEqual(ROUTES.map(({ method, path, scope }) => [`${method} ${path}`, scope]))
})
