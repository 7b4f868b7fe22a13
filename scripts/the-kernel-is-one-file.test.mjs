import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleKernel } from './bundle-kernel.mjs'

const manifest = {
  name: '@tenon/kernel',
  type: 'module',
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './testing': { types: './dist/testing/cases.d.ts', default: './dist/testing/cases.js' },
  },
}
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-kernel-'))
  write('package.json', JSON.stringify(manifest))
  write('src/error.ts', 'export class KernelError extends Error {}\n')
  write('src/index.ts', "export { KernelError } from './error.js'\nexport const answer: number = 41\n")
  write(
    'src/testing/cases.ts',
    "import { KernelError } from '../error.js'\nexport const thrown = new KernelError('x')\n",
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(join(folder, dirname(path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const bundled = () => bundleKernel([{ name: manifest.name, folder, manifest }])

test('each entry is built from the sources, and both know the same classes', async () => {
  expect(await bundled()).toBe(true)
  const index = await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)
  const testing = await import(pathToFileURL(join(folder, 'dist', 'testing', 'cases.js')).href)
  expect(index.answer).toBe(41)
  expect(testing.thrown).toBeInstanceOf(index.KernelError)
})

test('a source that changed is bundled anew, and nothing that did not', async () => {
  await bundled()
  expect(await bundled()).toBe(false)
  write('src/index.ts', 'export const answer: number = 42\n')
  const later = Date.now() / 1000 + 5
  utimesSync(join(folder, 'src', 'index.ts'), later, later)
  expect(await bundled()).toBe(true)
  expect(readFileSync(join(folder, 'dist', 'index.js'), 'utf8')).toContain('42')
})

test('modules that a compiler left and shared parts of earlier bundles go, declarations stay', async () => {
  write('dist/error.js', 'export class KernelError extends Error {}\n')
  write('dist/error.d.ts', 'export declare class KernelError extends Error {}\n')
  write('dist/bundle/error-old.js', '')
  await bundled()
  expect(existsSync(join(folder, 'dist', 'error.js'))).toBe(false)
  expect(existsSync(join(folder, 'dist', 'error.d.ts'))).toBe(true)
  expect(readdirSync(join(folder, 'dist', 'bundle'))).not.toContain('error-old.js')
})
