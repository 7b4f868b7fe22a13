import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAgentTool } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { builtinTools } from '../src/tools/builtin-tools.js'
import { memoryPorts } from './kit/scripted-engine.js'
import { temporaryFolder } from './kit/temporary-folder.js'

test('docs/tools.md names every built-in tool with its effect, in order', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'tools.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)`\s*\| `(\w+)`/gm)].map(([, name, effect]) => [name, effect])
  const tools = [
    ...builtinTools({ workspace: temporaryFolder(), artifacts: memoryPorts().artifacts }),
    runAgentTool({ engine: () => expect.unreachable(), agents: [{ name: 'other' }] }),
  ]
  expect(rows).toEqual(tools.map(({ name, effect }) => [name, effect]))
})
