import { expect, test } from 'vitest'
import { objectionsTo } from './fixture-checkout.mjs'

/** @param {Record<string, string>} dependencies */
const manifest = (dependencies) => JSON.stringify({ name: 'x', dependencies }, undefined, 2)
const page = '| dependency | why |\n| --- | --- |\n| `ajv`, `ajv-formats` | schemas |\n'

test('what is explained, and what is ours, is no question', () => {
  const files = {
    'package.json': manifest({ ajv: '8.20.0' }),
    'packages/kernel/package.json': manifest({ '@tenon/store': '0.1.0', 'ajv-formats': 'npm:@scope/formats@3.0.1' }),
    'docs/dependencies.md': page,
  }
  expect(objectionsTo(files)).toEqual([])
})

test('a dependency without a reason, and a reason without a dependency', () => {
  const files = {
    'packages/kernel/package.json': manifest({ ajv: '8.20.0', leftpad: '1.0.0' }),
    'docs/dependencies.md': page,
  }
  expect(objectionsTo(files)).toEqual([
    'packages/kernel/package.json:5 leftpad has no line in docs/dependencies.md',
    'docs/dependencies.md:3 ajv-formats is a dependency of no package',
  ])
})

test.each(['^8.20.0', '8', 'latest', 'npm:ajv@^8.20.0', '*'])('%s is no exact version', (version) => {
  const files = {
    'package.json': manifest({ ajv: version }),
    'docs/dependencies.md': page.replace(', `ajv-formats`', ''),
  }
  expect(objectionsTo(files)).toEqual([`package.json:4 ajv ${version} is no exact version`])
})
