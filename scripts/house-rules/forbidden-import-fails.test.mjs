import { expect, test } from 'vitest'
import { objectionsTo } from './fixture-checkout.mjs'

/** @param {string} path @param {string} source */
const objections = (path, source) => objectionsTo({ [path]: source })

test('a package imports only along the arrows', () => {
  expect(objections('packages/models/src/a.ts', "import { b } from '@tenon/store'\n")).toEqual([
    'packages/models/src/a.ts:1 @tenon/models may not import @tenon/store: only @tenon/kernel',
  ])
  expect(objections('packages/store/src/a.ts', "import { b } from 'tenon'\n")).toHaveLength(1)
  expect(objections('packages/models/src/a.ts', "import { b } from '@tenon/kernel'\n")).toEqual([])
  expect(objections('packages/tenon/src/a.ts', "import { b } from '@tenon/store'\n")).toEqual([])
})

test('the subpath of a forbidden package is forbidden', () => {
  expect(objections('packages/store/src/a.ts', "import { b } from '@tenon/models/cases'\n")).toHaveLength(1)
})

test.each([
  ['a type import', "import type { B } from '@tenon/store'"],
  ['a re-export', "export { b } from '@tenon/store'"],
  ['a type re-export', "export type { B } from '@tenon/store'"],
  ['export *', "export * from '@tenon/store'"],
  ['a side effect', "import '@tenon/store'"],
  ['a dynamic import', "export const b = () => import('@tenon/store')"],
  ['the type of an import', "export type B = typeof import('@tenon/store')"],
  ['a type out of an import', "export let b: import('@tenon/store').B"],
  ['require', "export const b = require('@tenon/store')"],
  ['require.resolve', "export const b = require.resolve('@tenon/store')"],
  ['import.meta.resolve', "export const b = import.meta.resolve('@tenon/store')"],
])('%s is an import', (_way, source) => {
  expect(objections('packages/models/src/a.ts', `\n${source}\n`)).toEqual([
    'packages/models/src/a.ts:2 @tenon/models may not import @tenon/store: only @tenon/kernel',
  ])
})

test('a name in a comment or in a text is no import', () => {
  const source = "// import '@tenon/store'\nexport const b = \"import '@tenon/store'\"\n"
  expect(objections('packages/models/src/a.ts', source)).toEqual([])
})

test('the kernel imports nothing, not even what the platform has built in', () => {
  expect(
    objections('packages/kernel/src/a.ts', "import 'node:fs'\nimport 'zod'\nimport type { A } from './b.js'\n"),
  ).toEqual([
    'packages/kernel/src/a.ts:1 @tenon/kernel imports nothing, not even node:fs: ask for it through a port',
    'packages/kernel/src/a.ts:2 @tenon/kernel imports nothing, not even zod: ask for it through a port',
  ])
})

test('the kernel reaches nothing through globals either', () => {
  const source =
    'export const home = (process: { x: number }) => [process.x]\nsetTimeout(home, 1)\nnew WebSocket("x")\n'
  expect(objections('packages/kernel/src/a.ts', source).map((text) => text.split(' ')[0])).toEqual([
    'packages/kernel/src/a.ts:1',
    'packages/kernel/src/a.ts:2',
    'packages/kernel/src/a.ts:3',
  ])
})

test('a path does not lead into another package', () => {
  expect(objections('packages/models/src/a.ts', "import { b } from '../../kernel/src/b.js'\n")).toEqual([
    'packages/models/src/a.ts:1 ../../kernel/src/b.js leaves the package: import another package by its name',
  ])
  expect(objections('packages/models/src/deep/a-goes-b.test.ts', "import '../../../kernel/src/b.js'\n")).toHaveLength(1)
})

test('a test may import other packages and what tests share', () => {
  const source = "import '@tenon/store'\nimport 'node:fs'\nimport '../../../test-support/needs.js'\n"
  expect(objections('packages/kernel/src/a-goes-b.test.ts', source)).toEqual([])
  expect(objections('packages/kernel/src/a.ts', source)).toHaveLength(3)
})

test('a package that no arrow names may not exist', () => {
  expect(objections('packages/glue/src/a.ts', "import { b } from '@tenon/kernel'\n")).toEqual([
    'packages/glue/src/a.ts:1 @tenon/glue is not a room of the house: add it to the import arrows first',
  ])
})

test('built-in modules are named as such', () => {
  expect(objections('packages/store/src/a.ts', "import { b } from 'fs/promises'\n")).toEqual([
    'packages/store/src/a.ts:1 write node:fs/promises',
  ])
})
