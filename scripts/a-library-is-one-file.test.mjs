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
import { bundleLibrary } from './bundle-library.mjs'

const manifest = {
  name: 'a-library',
  type: 'module',
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './testing': { types: './dist/testing/cases.d.ts', default: './dist/testing/cases.js' },
  },
}
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-library-'))
  write('package.json', JSON.stringify(manifest))
  write('tsconfig.json', JSON.stringify({ compilerOptions: { emitDeclarationOnly: true } }))
  write('src/error.ts', 'export class LibraryError extends Error {}\n')
  write('src/index.ts', "export { LibraryError } from './error.js'\nexport const answer: number = 41\n")
  write(
    'src/testing/cases.ts',
    "import { LibraryError } from '../error.js'\nexport const thrown = new LibraryError('x')\n",
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(join(folder, dirname(path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const bundled = () => bundleLibrary({ name: manifest.name, folder, manifest })

test('each entry is built from the sources, and both know the same classes', async () => {
  expect(await bundled()).toBe(true)
  const index = await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)
  const testing = await import(pathToFileURL(join(folder, 'dist', 'testing', 'cases.js')).href)
  expect(index.answer).toBe(41)
  expect(testing.thrown).toBeInstanceOf(index.LibraryError)
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
  write('dist/error.js', 'export class LibraryError extends Error {}\n')
  write('dist/error.d.ts', 'export declare class LibraryError extends Error {}\n')
  write('dist/bundle/error-old.js', '')
  await bundled()
  expect(existsSync(join(folder, 'dist', 'error.js'))).toBe(false)
  expect(existsSync(join(folder, 'dist', 'error.d.ts'))).toBe(true)
  expect(readdirSync(join(folder, 'dist', 'bundle'))).not.toContain('error-old.js')
})

test('a package whose code the compiler writes is left to it', async () => {
  write('tsconfig.json', JSON.stringify({ compilerOptions: { outDir: 'dist' } }))
  expect(await bundled()).toBe(false)
  expect(existsSync(join(folder, 'dist'))).toBe(false)
})
