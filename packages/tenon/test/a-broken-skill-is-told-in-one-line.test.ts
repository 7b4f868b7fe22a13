import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, type Place, place } from './tenon-process.js'

const REHEARSAL = 'rehearsal: skills\nscenes: [{ name: a, say: { text: done } }]\n'

function skill(here: Place, path: string, text: string): void {
  mkdirSync(join(here.folder, path), { recursive: true })
  here.write(join(path, 'SKILL.md'), text)
}

test('an unquoted colon in a description: the skill works, and the list says what was done', async () => {
  const here = place()
  skill(
    here,
    '.agents/skills/sums',
    '---\nname: sums\ndescription: Checks sums. Use when: totals differ\n---\nAdd up.\n',
  )
  const list = await here.tenon(['skills', 'list'])
  expect(list).toMatchObject({ code: 0 })
  expect(list.stdout).toMatch(/^sums +ready +1 finding +Checks sums\. Use when: totals differ/)
  expect(list.stderr).toMatch(/The catalogue takes \d+ of 4[, .]?0*k? ?tokens: 1 in full\./)
  const check = await here.tenon(['skills', 'check', '.agents/skills'])
  expect(check).toMatchObject({ code: 1 })
  expect(check.stdout).toMatch(/sums\/SKILL\.md:3: standard yaml-recovered: .*put the value in quotes/)
})

test('a skill in the wrong folder: where it is found and where it belongs', async () => {
  const here = place()
  skill(here, 'skills/review', '---\nname: review\ndescription: Reviews.\n---\nLook.\n')
  mkdirSync(join(here.folder, '.agents/skills'), { recursive: true })
  here.write('.agents/skills/notes.md', '# Notes')
  const { code, stdout } = await here.tenon(['skills', 'doctor'])
  expect(code).toBe(1)
  expect(stdout).toContain('skills/review/SKILL.md: This folder is not searched: move it to .agents/skills/review')
  here.write('skills/tenon.yaml', '{}')
  expect((await here.tenon(['skills', 'doctor'])).stdout, 'a project of its own').not.toContain('is not searched')
  expect(stdout).toContain('.agents/skills/notes.md: A skill is a folder: move it to .agents/skills/notes/SKILL.md.')
})

test('a skill that cannot be used is told where a run is started; an over-long name only in the list', async () => {
  const here = place()
  here.write('r.yaml', REHEARSAL)
  const long = 'a'.repeat(65)
  skill(here, `.agents/skills/${long}`, `---\nname: ${long}\ndescription: Long.\n---\nLook.\n`)
  skill(here, '.agents/skills/route', '---\nname: route\ndescription: No end.\n\n# Route\n')
  const run = await here.tenon(['run', 'go', '--rehearsal', 'r.yaml'])
  expect(run).toMatchObject({ code: 0, stdout: 'done\n' })
  expect(run.stderr).toContain('note: The skill route cannot be used: The frontmatter is not closed')
  expect(run.stderr).not.toContain('aaaa')
  const exported = eventsOf((await here.tenon(['runs', 'export', 'last'])).stdout)
  expect(exported[0]).toMatchObject({ metadata: { skillProblems: [expect.stringContaining('The skill route')] } })
  const json = await here.tenon(['skills', 'list', '--json'])
  const records = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(records.find(({ name }) => name === long)).toMatchObject({
    state: 'ready',
    diagnostics: [{ kind: 'name-too-long', line: 2 }],
  })
})

test('/name in a goal starts a skill before the model is asked, also one that only the user may start', async () => {
  const here = place()
  here.write(
    'r.yaml',
    'rehearsal: s\nscenes: [{ name: a, when: { results: [{ tool: activate_skill }] }, say: { text: done } }]\n',
  )
  skill(
    here,
    '.agents/skills/deploy',
    '---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\n---\nDeploy $ARGUMENTS.\n',
  )
  const run = await here.tenon(['run', '/deploy the site', '--rehearsal', 'r.yaml', '--json'])
  expect(run.code).toBe(0)
  const events = eventsOf(run.stdout)
  const settled = events.find(({ kind }) => kind === 'call-settled')
  expect(JSON.stringify(settled)).toContain('Deploy the site.')
  expect(settled).toMatchObject({ value: { name: 'deploy', digest: expect.stringMatching(/^sha256:/) } })
})

test('doctor says what a skill needs and does not find', async () => {
  const here = place()
  const requires = 'mcp:files bin:no-such-program env:NO_SUCH_TOKEN script:check.mjs tool:read_file'
  skill(
    here,
    '.agents/skills/needy',
    `---\nname: needy\ndescription: Needs.\nmetadata:\n  requires: "${requires}"\n---\nLook.\n`,
  )
  const { stdout } = await here.tenon(['skills', 'doctor'])
  for (const missing of ['mcp:files', 'bin:no-such-program', 'env:NO_SUCH_TOKEN', 'script:check.mjs'])
    expect(stdout).toContain(`needy needs ${missing}`)
  expect(stdout).not.toContain('tool:read_file')
})

test('doctor says which allowed-tools speak of nothing that is here, and leaves those of a configured server alone', async () => {
  const here = place()
  here.write('tenon.yaml', 'mcp: { servers: { files: { command: never-started } } }')
  const tools = 'Read Bash(git:*) WebSearch mcp__files__list mcp__tracker__close delegate'
  skill(here, '.agents/skills/tidy', `---\nname: tidy\ndescription: Tidies.\nallowed-tools: ${tools}\n---\nLook.\n`)
  const { code, stdout } = await here.tenon(['skills', 'doctor'])
  const told = stdout.split('\n').filter((line) => line.includes('tidy: it names'))
  expect([code, told]).toEqual([
    1,
    [
      '✗ tidy: it names WebSearch: no tool of that name is offered here',
      '✗ tidy: it names mcp__tracker__close: tracker__close is not offered here',
      '✗ tidy: it names delegate: no tool of that name is offered here',
    ],
  ])
})

// "Outside the standard; it was kept" read as if nothing came of it.
test('of a key outside the standard the check says whether it does something here', async () => {
  const here = place()
  skill(
    here,
    '.agents/skills/apart',
    '---\nname: apart\ndescription: Works apart.\ncontext: fork\nmodel: small\ncolour: red\n---\nLook.\n',
  )
  const { code, stdout } = await here.tenon(['skills', 'check', '.agents/skills'])
  expect(code).toBe(1)
  for (const key of ['context, which Tenon acts on', 'model, which Tenon acts on', 'colour'])
    expect(stdout).toContain(`standard unknown-key: ${key}: A key outside the standard; it was kept.`)
})
