import { expect, test } from 'vitest'
import { callContext, eventsOf, resultOf, textOf } from '../../test/kit/call-tool.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { globMatcher } from './glob.js'
import { listFilesTool } from './list-files.js'
import { searchFilesTool } from './search-files.js'
import { Workspace } from './workspace.js'

const searcher = (folder: string) => searchFilesTool(new Workspace(folder), 'untrusted')
const lister = (folder: string) => listFilesTool(new Workspace(folder), 'untrusted')

const project = () =>
  temporaryFolder({
    'README.md': '# Title\nSee (a+b)* for more.\r\nTITLE again\r\n',
    'src/a.ts': 'export const title = 1\n',
    'src/deep/b.ts': `${'x\n'.repeat(2_500)}title at the end`,
    'node_modules/p/index.js': 'title',
    '.git/config': 'title',
    'logo.bin': new Uint8Array([0, 1, 2]),
  })

test('text is found as it stands, with path, line and text', async () => {
  const search = searcher(project())
  expect(await textOf(search, { query: '(a+b)*' })).toBe(
    'README.md:2: See (a+b)* for more.\n[Files not searched: 1 binary.]',
  )
  expect((await resultOf(search, { query: 'title', ignoreCase: true })).value).toMatchObject({
    matches: [
      { path: 'README.md', line: 1 },
      { path: 'README.md', line: 3, text: 'TITLE again' },
      { path: 'src/a.ts', line: 1 },
      { path: 'src/deep/b.ts', line: 2501, text: 'title at the end' },
    ],
  })
})

test('an expression is matched within lines, in the files that a pattern names', async () => {
  const search = searcher(project())
  expect(await textOf(search, { query: '^title.*end$', regex: true, files: '*.ts' })).toBe(
    'src/deep/b.ts:2501: title at the end',
  )
  expect(await textOf(search, { query: 'again$', regex: true, path: 'README.md' })).toBe('README.md:3: TITLE again')
})

test('a letter that folds to two finds its line and does not shift the others', async () => {
  const folder = temporaryFolder({ 'a.txt': 'İİİİ\nITEM\r\nnone\nlast item' })
  expect((await resultOf(searcher(folder), { query: 'item', ignoreCase: true })).value).toMatchObject({
    matches: [
      { line: 2, text: 'ITEM' },
      { line: 4, text: 'last item' },
    ],
  })
})

test('a pattern that backtracks without end is stopped and named', async () => {
  const folder = temporaryFolder({ 'a.txt': `${'a'.repeat(60)}!\n` })
  await expect(eventsOf(searcher(folder), { query: '^(a+)+$', regex: true })).rejects.toMatchObject({
    code: 'pattern-too-slow',
  })
})

test('a pattern that is none is refused with the reason', async () => {
  await expect(eventsOf(searcher(temporaryFolder()), { query: '(a', regex: true })).rejects.toMatchObject({
    code: 'pattern-invalid',
    message: expect.stringContaining('To find it as it stands, leave regex out'),
  })
})

test('results are capped and the search says that it ended early', async () => {
  const folder = temporaryFolder({
    'a.txt': 'hit\n'.repeat(5_000),
    'b.txt': `${'-'.repeat(9_000)}hit${'-'.repeat(9_000)}`,
  })
  const capped = await resultOf(searcher(folder), { query: 'hit', results: 3 })
  expect(capped.value).toMatchObject({ matches: [{ line: 1 }, { line: 2 }, { line: 3 }], more: true })
  expect(await textOf(searcher(folder), { query: 'hit', results: 3 })).toContain('[The search ended after 3 lines;')
  expect((await textOf(searcher(folder), { query: 'hit', path: 'b.txt' })).length).toBeLessThan(400)
})

test('a cancelled search stops', async () => {
  const context = callContext({ signal: AbortSignal.abort(new Error('stopped')) })
  await expect(eventsOf(searcher(project()), { query: 'a' }, context)).rejects.toThrow('stopped')
})

test('a listing shows sizes and leaves the folders of tools closed', async () => {
  expect(await textOf(lister(project()), {})).toBe(
    [
      '.git/  (not listed)',
      'README.md  43 bytes',
      'logo.bin  3 bytes',
      'node_modules/  (not listed)',
      'src/',
      'src/a.ts  23 bytes',
      'src/deep/',
      'src/deep/b.ts  4.9 KB',
    ].join('\n'),
  )
  expect(await textOf(lister(project()), { depth: 1, path: 'src' })).toBe('src/a.ts  23 bytes\nsrc/deep/  (not opened)')
  expect(await textOf(lister(project()), { pattern: 'src/**/*.ts' })).toBe('src/a.ts  23 bytes\nsrc/deep/b.ts  4.9 KB')
  expect(await textOf(lister(project()), { path: 'node_modules' })).toBe(
    'node_modules/p/\nnode_modules/p/index.js  5 bytes',
  )
})

test('a listing of very many files is capped and says so', async () => {
  const files = Object.fromEntries(Array.from({ length: 1_005 }, (_, i) => [`f${i}`, '']))
  const result = await resultOf(lister(temporaryFolder(files)), {})
  expect(result.value).toMatchObject({ more: true })
  expect((result.value as { entries: unknown[] }).entries).toHaveLength(1_000)
})

test.each([
  ['*.md', ['a.md', 'x/b.md'], ['a.mdx', 'md']],
  ['src/**/*.{ts,tsx}', ['src/a.ts', 'src/x/y/b.tsx'], ['lib/src/a.ts', 'src/a.js']],
  ['docs/*', ['docs/a'], ['docs/a/b']],
  ['a?c', ['abc', 'x/a.c'], ['ac', 'abbc']],
  ['a.b(c)[d]', ['a.b(c)[d]'], ['aXb(c)d']],
  ['{a', ['a'], ['b']],
])('the pattern %s', (glob, yes, no) => {
  const matches = globMatcher(glob)
  expect(yes.filter((path) => !matches(path))).toEqual([])
  expect(no.filter(matches)).toEqual([])
})

test('a pattern of very many stars is refused', () => {
  expect(() => globMatcher('*a'.repeat(9))).toThrow(expect.objectContaining({ code: 'pattern-invalid' }))
})
