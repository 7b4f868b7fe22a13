import { expect, test } from 'vitest'
import { objectionsTo } from './fixture-checkout.mjs'

test('a file of more than 500 lines is too long', () => {
  const lines = (/** @type {number} */ count) => 'export {}\n'.repeat(count)
  expect(objectionsTo({ 'packages/store/src/long.ts': lines(501), 'packages/store/src/short.ts': lines(500) })).toEqual(
    ['packages/store/src/long.ts:501 501 lines, 500 are the most: split it by idea'],
  )
})

test('documents and data may be as long as they like', () => {
  expect(objectionsTo({ 'docs/long.md': 'word\n'.repeat(5000), 'package-lock.json': '\n'.repeat(5000) })).toEqual([])
})

test.each(['utils.ts', 'string-utils.ts', 'helpers/a-b.ts', 'test-helper.ts', 'common.ts'])(
  '%s names no idea',
  (path) => {
    expect(objectionsTo({ [`packages/store/src/${path}`]: 'export {}\n' })).toEqual([
      expect.stringContaining('says nothing about what is inside'),
    ])
  },
)

test.each(['openStore.ts', 'Open/a.ts', 'open_store.ts'])('%s is not kebab-case', (path) => {
  expect(objectionsTo({ [`packages/store/src/${path}`]: 'export {}\n' })).toEqual([
    expect.stringContaining('is not kebab-case'),
  ])
})

test('a test is named after a behaviour, not after a file', () => {
  expect(
    objectionsTo({
      'packages/store/src/open-store.ts': 'export {}\n',
      'packages/store/src/open-store.test.ts': 'export {}\n',
      'packages/store/src/store.test.ts': 'export {}\n',
      'packages/store/src/newer-file-is-refused.test.ts': 'export {}\n',
    }),
  ).toEqual([
    'packages/store/src/open-store.test.ts:1 a test is named after a behaviour or a symptom, not after open-store',
    'packages/store/src/store.test.ts:1 a test is named after a behaviour or a symptom: store names none',
  ])
})

test('what git ignores is nobody’s business', () => {
  expect(objectionsTo({ '.gitignore': 'dist/\n', 'dist/utils.ts': 'export {}\n' })).toEqual([])
})
