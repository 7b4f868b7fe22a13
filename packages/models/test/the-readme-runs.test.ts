import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRehearsal } from '../src/rehearsal/read-rehearsal.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readme = readFileSync(join(root, 'packages', 'models', 'README.md'), 'utf8')

test('the example of the README runs in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-readme-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'example.mjs'), /```js\n(.*?)```/s.exec(readme)?.[1] ?? '')
  const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: undefined },
  })
  rmSync(folder, { recursive: true })
  expect({ stdout, stderr, status }).toEqual({ stdout: 'Hello!\n', stderr: '', status: 0 })
})

test('the rehearsal of the README can be played', () => {
  const script = /```yaml\n(.*?)```/s.exec(readme)?.[1] ?? ''
  expect(readRehearsal(script, 'README.md').scenes.map(({ name }) => name)).toEqual(['look', 'answer'])
})
