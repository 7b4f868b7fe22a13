import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { CASE_KINDS } from './case-kinds.mjs'
import { repoRoot, runNode } from './run-node.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tenon-cases-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** @param {string[]} args */
const cases = (...args) => runNode([join(repoRoot, 'scripts', 'cases.mjs'), ...args], { cwd: folder })

test('an unknown kind and a missing folder are usage errors that say what to type', async () => {
  const unknown = await cases('wires')
  const kinds = Object.keys(CASE_KINDS).join('|')
  expect(unknown).toMatchObject({ code: 2, stderr: `usage: npm run cases -- ${kinds} [FOLDER]\n` })
  const missing = await cases('wire', join(folder, 'nowhere'))
  expect(missing.code).toBe(2)
  expect(missing.stderr).toContain('npm run cases -- wire FOLDER')
})

test('a case that comes out otherwise is named with what differed', async () => {
  const name = 'plain-text-answer'
  mkdirSync(join(folder, name), { recursive: true })
  const body = {
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  }
  const expected = {
    dialect: 'openai-chat',
    why: 'a fixture',
    blocks: [{ kind: 'text', text: 'no' }],
    toolCalls: [],
    finish: 'stop',
    usage: null,
    error: null,
    diagnostics: [],
    roundTrip: null,
    notes: '',
  }
  writeFileSync(join(folder, name, 'response.txt'), JSON.stringify(body))
  const headers = { 'content-type': 'application/json' }
  writeFileSync(join(folder, name, 'response.json'), JSON.stringify({ status: 200, headers }))
  writeFileSync(join(folder, name, 'request.json'), JSON.stringify({ model: 'm', stream: false, tools: [] }))
  writeFileSync(join(folder, name, 'expect.json'), JSON.stringify(expected))

  const { code, stdout } = await cases('wire', folder)
  const lines = stdout.trim().split('\n')
  expect(lines.at(-1)).toBe('0 passed, 1 failed')
  expect(lines[0]).toMatch(/^plain-text-answer: .*no.*yes|^plain-text-answer: .*yes.*no/)
  expect(code).toBe(1)
})
