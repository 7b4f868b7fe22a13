import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readme = readFileSync(join(root, 'packages', 'skills', 'README.md'), 'utf8')

test('the example of the README runs in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-readme-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'example.mjs'), /```js\n(.*?)```/s.exec(readme)?.[1] ?? '')
  const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect({ stdout, stderr, status }).toEqual({ stdout: 'yaml-recovered\ntrue\n', stderr: '', status: 0 })
})
