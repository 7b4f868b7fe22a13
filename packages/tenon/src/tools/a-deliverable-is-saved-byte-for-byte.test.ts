import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunId } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { eventsOf, textOf } from '../../test/kit/call-tool.js'
import { memoryPorts } from '../../test/kit/scripted-engine.js'
import { temporaryFolder } from '../../test/kit/temporary-folder.js'
import { saveArtifactTool } from './save-artifact.js'
import { Workspace } from './workspace.js'

const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256)

async function saving() {
  const { artifacts } = memoryPorts()
  const { artifactId } = await artifacts.put(bytes, {
    name: 'report.pdf',
    mediaType: 'application/pdf',
    runId: RunId('r1'),
  })
  const folder = temporaryFolder()
  return { tool: saveArtifactTool(new Workspace(folder), artifacts), artifact: artifactId as string, folder }
}

test('an artifact becomes a file in the workspace, and again when it is saved again', async () => {
  const { tool, artifact, folder } = await saving()
  expect(await textOf(tool, { artifact, path: 'reports/q3.pdf' })).toMatch(/^Created reports\/q3\.pdf/)
  expect(await textOf(tool, { artifact, path: 'reports/q3.pdf' })).toMatch(/^Replaced reports\/q3\.pdf/)
  expect(readFileSync(join(folder, 'reports', 'q3.pdf')).equals(bytes)).toBe(true)
})

test('nothing is saved outside the workspace or from a handle that was made up', async () => {
  const { tool, artifact } = await saving()
  await expect(eventsOf(tool, { artifact, path: '../q3.pdf' })).rejects.toMatchObject({ code: 'path-outside' })
  await expect(eventsOf(tool, { artifact: 'sha256:made-up', path: 'a' })).rejects.toMatchObject({
    code: 'artifact-missing',
  })
})
