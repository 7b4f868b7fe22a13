import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createEngine,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  runAgentTool,
} from '@tenon/kernel'
import { expect, test } from 'vitest'
import { builtinTools } from '../tools/builtin-tools.js'
import { BUILTIN_TOOL_NAMES } from './builtin-tool-names.js'
import { sha256 } from './sha256.js'

test('a configuration may name exactly the tools that there are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-tools-'))
  const artifacts = memoryArtifacts(() => 'none is kept here')
  const engine = createEngine({
    journal: memoryJournal(),
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts,
    agents: () => undefined,
    digest: sha256,
  })
  const made = [
    ...builtinTools({ workspace: folder, artifacts }),
    runAgentTool({ engine: () => engine, agents: [{ name: 'a' }] }),
  ]
  rmSync(folder, { recursive: true })
  expect(made.map(({ name }) => name).sort()).toEqual([...BUILTIN_TOOL_NAMES].sort())
})
