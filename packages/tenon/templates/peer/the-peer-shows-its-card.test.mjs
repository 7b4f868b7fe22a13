import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tenon = fileURLToPath(new URL('../bin/tenon.js', import.meta.resolve('tenon')))
const config = fileURLToPath(new URL('../tenon.yaml', import.meta.url))

test('it shows a card whose signature is not wrong and that we can speak to, and has skills', () => {
  const args = ['a2a', 'card', 'sample-joint', '--config', config, '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, [tenon, ...args], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.ok(JSON.parse(stdout).skills.length > 0)
})
