import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { needs } from '../../../test-support/needs.js'
import { ROUTES } from '../src/serve/run-api/routes.js'
import { blocksOf, pageText } from './kit/run-page.js'
import { urlOfServer } from './kit/url-of-server.js'
import { place, WRITING } from './tenon-process.js'

const PAGE = pageText('docs/run-api.md')

/** Runs the page's `sh` blocks in one shell, against this server, and tells what each printed. */
async function printed(blocks: readonly string[], url: string): Promise<readonly string[]> {
  const shell = spawn('sh', ['-s'], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const mark = '\n-- next --\n'
  shell.stdin.end(blocks.map((block) => block.replace('http://127.0.0.1:4100', url)).join(`printf '${mark}'\n`))
  await new Promise((closed) => shell.once('close', closed))
  return said.split(mark)
}

/** `…` stands for anything. */
const pattern = (text: string): RegExp =>
  new RegExp(
    `^\\s*${text
      .trim()
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('[\\s\\S]*')}\\s*$`,
  )

describe('the examples', () => {
  needs('curl', () => spawnSync('curl', ['--version']).status === 0)

  test('whoever copies the lines of docs/run-api.md sees what it says', { timeout: 60_000 }, async () => {
    const here = place()
    const server = here.start(['serve', '--port', '0', '--rehearsal', here.write('writing.yaml', WRITING)])
    const blocks = blocksOf(PAGE)
    const told = blocks.filter(({ language }) => language !== 'sh').map(({ text }) => pattern(text))
    const said = await printed(
      blocks.filter(({ language }) => language === 'sh').map(({ text }) => text),
      await urlOfServer(server),
    )
    expect(said).toHaveLength(told.length)
    for (const [index, text] of said.entries()) expect(text).toMatch(told[index] ?? /$^/)
  })
})

test('docs/run-api.md lists every route with its scope', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+ \/\S+)` +\| (?:`([\w:]+)`)? +\|/gm)].map(([, route, scope]) => [
    route,
    scope,
  ])
  expect(rows).toEqual(ROUTES.map(({ method, path, scope }) => [`${method} ${path}`, scope]))
})
