import { expect, test } from 'vitest'
import { resolveName } from './resolve-name.js'

const offered = ['read_file', 'Read.Me', 'docs.search', 'docs_search', 'tools.list', 'ns::call', 'search']

test.each([
  ['read_file', 'read_file', false],
  ['docs.search', 'docs.search', false],
  ['`read_file`', 'read_file', true],
  ['**read_file**', 'read_file', true],
  ['"read_file"', 'read_file', true],
  ['functions.read_file:0', 'read_file', true],
  ['functions:read_file', 'read_file', true],
  ['default_api.read_file', 'read_file', true],
  ['tools.read_file<|channel|>json', 'read_file', true],
  ['READ_FILE', 'read_file', true],
  ['read-file', 'read_file', true],
  ['Read/File', 'read_file', true],
  ['read_me', 'Read.Me', true],
  ['tools.list', 'tools.list', false],
  ['Tools.List', 'tools.list', true],
  ['ns.call', 'ns::call', true],
  ['tool.SEARCH', 'search', true],
])('%s means %s', (written, name, normalised) => {
  expect(resolveName(written, offered)).toEqual({ kind: 'tool', name, normalised })
})

test('a step that two tools fit decides nothing', () => {
  expect(resolveName('docs-search', offered)).toEqual({ kind: 'ambiguous', candidates: ['docs.search', 'docs_search'] })
  expect(resolveName('Docs.Search', offered)).toEqual({ kind: 'tool', name: 'docs.search', normalised: true })
})

test.each(['read_fil', 'readfile', 'read file', 'search_docs', '', '<|channel|>', 'functions.'])(
  '%j means nothing',
  (written) => {
    expect(resolveName(written, offered)).toEqual({ kind: 'unknown' })
  },
)
