import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { COMMAND, eventsOf, type Place, place } from './tenon-process.js'

const SERVER = fileURLToPath(new URL('./mcp/skill-server.mjs', import.meta.url))
const BODY = 'Ask three questions before you say anything.'

function skill(here: Place, name: string): void {
  mkdirSync(join(here.folder, '.agents/skills', name, 'references'), { recursive: true })
  here.write(`.agents/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does ${name}.\n---\n${BODY}\n`)
  here.write(`.agents/skills/${name}/references/more.md`, 'More.\n')
}

test('a skill of an official server stands in the catalogue with its server, verified, and is taken up like any other', async () => {
  const here = place()
  here.write(
    'r.yaml',
    'rehearsal: s\nscenes:\n  - name: a\n    when: { turns: 0, system: { contains: [\'<skill name="interview" from="house">\'] } }\n    say: { calls: [{ tool: activate_skill, args: { name: interview } }] }\n  - name: b\n    when: { results: [{ tool: activate_skill, contains: [Ask three questions] }] }\n    say: { text: done }\n',
  )
  here.write(
    'tenon.yaml',
    JSON.stringify({ mcp: { servers: { house: { command: process.execPath, args: [SERVER] } } } }),
  )
  const run = await here.tenon(['run', 'interview me', '--rehearsal', 'r.yaml', '--json'])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(eventsOf(run.stdout).find(({ kind }) => kind === 'call-settled')).toMatchObject({
    value: { name: 'interview', scope: 'served' },
    provenance: { source: 'skill', trust: 'untrusted' },
  })
  const list = await here.tenon(['skills', 'list', '--json'])
  expect(JSON.parse(list.stdout)).toMatchObject({ name: 'interview', scope: 'served', server: 'house' })
})

test('the official client lists our skills, and every file is what we state', async () => {
  const here = place()
  skill(here, 'interview')
  writeFileSync(join(here.folder, '.agents/skills/interview/logo.bin'), Buffer.from([0, 255, 7]))
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const env = { ...here.environment }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', 'serve'], cwd: here.folder, env }),
  )
  try {
    const skills = new SkillsClient(client)
    expect(skills.supported).toBe(true)
    const { skills: entries } = await skills.list()
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toEqual(['interview'])
    const [entry] = entries
    if (entry === undefined) throw new Error('there is no entry')
    expect(await skills.read(entry)).toMatchObject({ verified: true, body: expect.stringContaining(BODY) })
    expect(await skills.read(entry, 'references/more.md')).toMatchObject({ verified: true, text: 'More.\n' })
    expect(Buffer.from((await skills.read(entry, 'logo.bin')).bytes)).toEqual(Buffer.from([0, 255, 7]))
  } finally {
    await client.close()
  }
})
