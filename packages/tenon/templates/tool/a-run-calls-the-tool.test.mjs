import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agent, rehearsed } from 'tenon'
import { sampleJoint } from '../tools/sample-joint.mjs'

/** What a model would say: with this an agent is tested without one. */
const calling = (amount) =>
  rehearsed(`
rehearsal: sample-joint
scenes:
  - name: call it
    when: { turns: 0 }
    say: { calls: [{ tool: sample_joint, args: { amount: ${amount}, percent: 19 } }] }
  - name: wrong arguments
    when: { results: [{ tool: sample_joint, error: true }] }
    say: { text: The amount was refused. }
  - name: answer
    when: { results: [{ tool: sample_joint, matches: '(?<total>[0-9.]+)' }] }
    say: { text: 'The total is {{total}}.' }
`)

test('a run calls it and goes on with what it returned', async () => {
  const { text, calls } = await agent({ model: calling(100), tools: [sampleJoint] }).run('100 with tax?').result
  assert.equal(calls, 1)
  assert.equal(text, 'The total is 119.')
})

test('arguments outside of the schema never reach the code', async () => {
  const { text } = await agent({ model: calling(-1), tools: [sampleJoint] }).run('-1 with tax?').result
  assert.equal(text, 'The amount was refused.')
})
