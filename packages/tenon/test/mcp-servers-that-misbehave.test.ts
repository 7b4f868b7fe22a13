import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runMcpCases } from '@tenon/mcp/cases'
import { expect, test } from 'vitest'
import { needs } from '../../../test-support/needs.js'
import { ajvCompiler } from '../src/schema/ajv-compiler.js'

const own = fileURLToPath(new URL('../../mcp/test/scenarios', import.meta.url))
const shared = fileURLToPath(new URL('../../../../shared/cases/mcp', import.meta.url))

needs('the scripted MCP peer beside the checkout', () => existsSync(shared))

test('no server that misbehaves hangs a call, loses its neighbours or leaves a process', async () => {
  const { passed, failures } = await runMcpCases(own, { compile: ajvCompiler, defaultFolder: shared })
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(20)
})
