import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place, WRITING } from './tenon-process.js'

test('init writes a configuration that holds, and never over one that is there', async () => {
  const here = place()
  expect((await here.tenon(['init'])).code).toBe(0)
  const file = join(here.folder, 'tenon.yaml')
  const written = readFileSync(file, 'utf8')
  here.write('r.yaml', WRITING)
  expect((await here.tenon(['run', 'write it', '--rehearsal', 'r.yaml', '--yes'])).code).toBe(0)
  const again = await here.tenon(['init'])
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('was left as it is')
  expect(readFileSync(file, 'utf8')).toBe(written)
})

test('everything that init writes as a comment holds as well', async () => {
  const here = place()
  await here.tenon(['init'])
  const file = join(here.folder, 'tenon.yaml')
  const written = readFileSync(file, 'utf8')
  here.write(
    'tenon.yaml',
    written.replace(/^( *)# (?=[-a-z ]+.*:)(?!yaml-language|Tenon|The |An |A |Tools |Models |Any )/gm, '$1'),
  )
  expect(readFileSync(file, 'utf8')).toContain('\n  fast:\n')
  const held = await here.tenon(['doctor', '--show-config'], { env: { OPENAI_API_KEY: 'sk-0123456789abcdef0123' } })
  expect(held.stdout).toContain('deny: fetch_url')
  expect(held.stdout).toContain('[from OPENAI_API_KEY]')
  expect(held.stdout).not.toContain('0123456789abcdef')
})

test('doctor says which model would answer and why, and fails when none can', async () => {
  const here = place()
  const without = await here.tenon(['doctor'])
  expect(without.code).toBe(1)
  expect(without.stdout).toContain('no provider key in the environment')
  const keyed = await here.tenon(['doctor'], { env: { ANTHROPIC_API_KEY: 'sk-ant-0123456789abcdef' } })
  expect(keyed.code).toBe(0)
  expect(keyed.stdout).toMatch(/ok model \(key\): chosen: ANTHROPIC_API_KEY is set: anthropic\//)
  expect(keyed.stdout).not.toContain('0123456789abcdef')
  here.write('tenon.yaml', 'polcy: {}\n')
  const mistaken = await here.tenon(['doctor'])
  expect(mistaken.code).toBe(1)
  expect(mistaken.stdout).toContain('tenon.yaml:1:1 polcy: unknown key. Did you mean "policy"?')
  expect(mistaken.stdout).toContain('ok node')
})

test('version and help need nothing of what a run needs', async () => {
  const here = place()
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await here.tenon(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  const help = await here.tenon(['--help'])
  expect(help.code).toBe(0)
  for (const command of ['run', 'chat', 'runs', 'models', 'doctor', 'init'])
    expect(help.stdout).toContain(`\n  ${command} `)
  expect((await here.tenon(['runs', 'answer', '--help'])).stdout).toContain('--remember <span>')
})
