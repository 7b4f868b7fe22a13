import { expect, test } from 'vitest'
import { objectionsTo } from './fixture-checkout.mjs'

const A = 'packages/models/src/a.ts'
const B = 'packages/models/src/deep/b.ts'
const C = 'packages/models/src/c.ts'

test('files that import each other are named with the way round', () => {
  const files = {
    [A]: "import { b } from './deep/b.js'\n",
    [B]: "import { c } from '../c.js'\n",
    [C]: "\nimport { a } from './a.js'\n",
  }
  expect(objectionsTo(files)).toEqual([`${C}:2 this import closes a circle: a.ts -> b.ts -> c.ts -> a.ts`])
})

test.each([
  ['a type', "import type { A } from '../a.js'"],
  ['a re-export', "export { a } from '../a.js'"],
  ['an import when it is needed', "export const a = () => import('../a.js')"],
])('%s closes a circle too', (_way, source) => {
  expect(objectionsTo({ [A]: "import { b } from './deep/b.js'\n", [B]: `${source}\n` })).toHaveLength(1)
})

test('two ways to one file are no circle, nor is a test that stands beside what it tests', () => {
  const files = {
    [A]: "import { b } from './deep/b.js'\nimport { c } from './c.js'\n",
    [B]: "import { c } from '../c.js'\n",
    [C]: 'export const c = 1\n',
    'packages/models/src/c-counts.test.ts': "import { a } from './a.js'\nimport { c } from './c.js'\n",
  }
  expect(objectionsTo(files)).toEqual([])
})
