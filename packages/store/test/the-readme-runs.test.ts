import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from './temporary-folder.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('the example of the README runs in an empty folder', () => {
  const readme = readFileSync(join(root, 'packages', 'store', 'README.md'), 'utf8')
  const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const dir = temporaryFolder()
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'), 'junction')
  writeFileSync(join(dir, 'example.mjs'), example)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: undefined },
  })
  expect({ stdout, stderr, status }).toEqual({ stdout: 'problems: 0\n', stderr: '', status: 0 })
})
