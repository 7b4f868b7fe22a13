import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('the example of the README runs in an empty folder', { timeout: 30_000 }, () => {
  const readme = readFileSync(join(root, 'packages', 'a2a', 'README.md'), 'utf8')
  const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const dir = mkdtempSync(join(tmpdir(), 'tenon-a2a-readme-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'), 'junction')
  writeFileSync(join(dir, 'example.mjs'), example)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: undefined },
  })
  expect({ stdout, stderr, status }).toEqual({
    stdout: 'TASK_STATE_COMPLETED You said: hello\n',
    stderr: '',
    status: 0,
  })
})
