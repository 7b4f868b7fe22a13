import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../src/config/parse-config.js'
import { knownNames } from '../src/host/known-names.js'
import { blocksOf, followPage, pageText } from './kit/run-page.js'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const PAGES = readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)

/** Anything that a variable of an example may be set to. */
const ANY = new Proxy<Record<string, string>>({}, { get: () => 'https://example.com/secret' })

test.each(PAGES.filter((page) => pageText(page).includes('```console\n')))(
  'whoever follows %s sees what it says',
  async (page) => {
    expect(await followPage(page)).toEqual([])
  },
)

test.each(PAGES)('every configuration of %s holds', (page) => {
  for (const { language, file, text } of blocksOf(pageText(page)))
    if (language === 'yaml' && (file === undefined || file === 'tenon.yaml')) {
      const parsed = parseConfig(text, 'tenon.yaml', ANY, knownNames())
      expect(parsed.ok ? [] : parsed.issues, text).toEqual([])
    }
})

test.each(['README.md', ...PAGES])('every page and folder that %s links to is there', (page) => {
  const targets = [...pageText(page).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([])
})

test('every bench that a page names is one', () => {
  const named = PAGES.flatMap((page) => [...pageText(page).matchAll(/npm run bench -- ([a-z]\w*)/g)]).map(
    ([, name = '']) => name,
  )
  expect(new Set(named.filter((name) => !existsSync(join(ROOT, 'bench', name, 'bench.mjs'))))).toEqual(new Set())
})
