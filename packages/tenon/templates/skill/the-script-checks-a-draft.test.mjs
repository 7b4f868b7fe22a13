import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const skill = fileURLToPath(new URL('../.agents/skills/sample-joint', import.meta.url))
const check = (draft) => spawnSync(process.execPath, [`${skill}/scripts/check.mjs`], { input: draft, encoding: 'utf8' })

test('a draft of the right form passes', () => {
  const { status, stdout } = check('## Blocked\nnothing\n## Done\nThe import.\n## Next\nThe export.\n')
  assert.equal(stdout, 'ok\n')
  assert.equal(status, 0)
})

test('what is missing is named', () => {
  const { status, stdout } = check('## Done\nThe import.\n')
  assert.match(stdout, /"## Blocked" is missing/)
  assert.equal(status, 1)
})

test('the skill keeps to the open standard', () => {
  const tenon = fileURLToPath(new URL('../bin/tenon.js', import.meta.resolve('tenon')))
  const { status, stdout } = spawnSync(process.execPath, [tenon, 'skills', 'check', skill], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
