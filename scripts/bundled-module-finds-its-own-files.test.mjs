import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleCommand } from './bundle-command.mjs'
import { runNode } from './run-node.mjs'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-bundle-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** @param {string} path @param {string} text */
function lay(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** A command that is imported on demand and reads files beside its modules, its own package's and another's. */
function layCheckout() {
  lay('node_modules/tenon/package.json', '{ "name": "tenon", "type": "module", "version": "7.7.7" }')
  lay(
    'node_modules/tenon/dist/bin/tenon.js',
    "#!/usr/bin/env node\nconst { run } = await import('../cli/run.js')\nrun()\n",
  )
  lay(
    'node_modules/tenon/dist/cli/run.js',
    `import { readFileSync } from 'node:fs'
     import { words } from '@tenon/models'
     export function run() {
       const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
       console.log(version, words())
     }`,
  )
  lay(
    'node_modules/@tenon/models/package.json',
    '{ "name": "@tenon/models", "type": "module", "exports": "./dist/index.js" }',
  )
  lay('node_modules/@tenon/models/dist/index.js', "export { words } from './local/words.js'\n")
  lay(
    'node_modules/@tenon/models/dist/local/words.js',
    `import { readFileSync } from 'node:fs'
     export const words = () => readFileSync(new URL('../../words.txt', import.meta.url), 'utf8')`,
  )
  lay('node_modules/@tenon/models/words.txt', 'from the package')
  return [
    { name: 'tenon', folder: join(root, 'node_modules', 'tenon'), manifest: {} },
    { name: '@tenon/models', folder: join(root, 'node_modules', '@tenon', 'models'), manifest: {} },
  ]
}

test('in the checkout and where it is installed', async () => {
  const packages = layCheckout()
  expect(await bundleCommand(packages)).toBe(true)
  const bundle = join(root, 'node_modules', 'tenon', 'dist', 'bundle', 'tenon.js')
  expect(await runNode([bundle])).toMatchObject({ code: 0, stdout: '7.7.7 from the package\n' })

  const elsewhere = join(root, 'installed')
  cpSync(join(root, 'node_modules'), join(elsewhere, 'node_modules'), { recursive: true })
  rmSync(join(root, 'node_modules'), { recursive: true })
  const installed = join(elsewhere, 'node_modules', 'tenon', 'dist', 'bundle', 'tenon.js')
  expect(await runNode([installed])).toMatchObject({ code: 0, stdout: '7.7.7 from the package\n' })
})

test('a bundle is made again only when something in it changed', async () => {
  const packages = layCheckout()
  await bundleCommand(packages)
  expect(await bundleCommand(packages)).toBe(false)
  const later = new Date(Date.now() + 5_000)
  utimesSync(join(root, 'node_modules', '@tenon', 'models', 'dist', 'index.js'), later, later)
  expect(await bundleCommand(packages)).toBe(true)
})
