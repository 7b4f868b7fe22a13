import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tenon = fileURLToPath(new URL('../bin/tenon.js', import.meta.resolve('tenon')))
const config = fileURLToPath(new URL('../tenon.yaml', import.meta.url))
const rehearsal = fileURLToPath(new URL('sample-joint.rehearsal.yaml', import.meta.url))

test('it looks at the files and answers from them', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'sample-joint-'))
  try {
    writeFileSync(join(workspace, 'notes.md'), 'Decision: we ship on Friday\n')
    const args = ['run', 'What was decided?', '--agent', 'sample-joint', '--config', config, '--rehearsal', rehearsal]
    const { status, stdout, stderr } = spawnSync(process.execPath, [tenon, ...args, '--workspace', workspace], {
      encoding: 'utf8',
      // Without keys, so that the rehearsal plays and nothing is spent.
      env: { PATH: process.env.PATH, HOME: workspace, USERPROFILE: workspace, TENON_STORE: join(workspace, 'runs') },
    })
    assert.equal(status, 0, stderr)
    assert.match(stdout, /we ship on Friday/)
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
})
