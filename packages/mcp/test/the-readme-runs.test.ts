import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')

test('the example of the README works with the server that it names', () => {
  const readme = readFileSync(join(root, 'packages', 'mcp', 'README.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'tenon-mcp-readme-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const example = (/```js\n(.*?)```/s.exec(readme)?.[1] ?? '')
    // From the registry by npx, or from here: the same program.
    .replace("command: 'npx'", `command: ${JSON.stringify(process.execPath)}`)
    .replace("'-y', '@modelcontextprotocol/server-filesystem'", JSON.stringify(server))
  writeFileSync(join(folder, 'example.mjs'), example)
  const { stdout, status } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(status).toBe(0)
  expect(stdout).toContain('legacy true')
  expect(stdout).toContain('example.mjs')
})
