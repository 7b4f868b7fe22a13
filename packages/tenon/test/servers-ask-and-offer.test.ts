import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Place, place } from './tenon-process.js'

const SERVER = fileURLToPath(new URL('mcp/deploy-server.mjs', import.meta.url))

function prepare(here: Place, scenes: string): void {
  here.write('r.yaml', `rehearsal: servers\nscenes:\n${scenes}`)
  here.write(
    'tenon.yaml',
    `agents:
  assistant:
    resources: ["ops:config://rules"]
mcp:
  servers:
    ops:
      command: ${JSON.stringify(process.execPath)}
      args: [${JSON.stringify(SERVER)}, ${JSON.stringify(join(here.folder, 'changed'))}]
      allow: ["*"]
`,
  )
}

const CALLING = (tool: string, args: string, result: string): string => `
  - { name: call, when: { turns: 0 }, say: { calls: [{ tool: ${tool}, args: ${args} }] } }
  - { name: done, when: { turns: 1, results: [{ contains: ["${result}"] }] }, say: { text: "${result}" } }
`

test('what a server asks parks the run; the answers reach it from other processes, round by round', async () => {
  const here = place()
  prepare(here, CALLING('ops__deploy', '{ env: prod }', 'Deployed to prod in eu.'))
  const first = await here.tenon(['run', 'deploy', '--rehearsal', 'r.yaml'])
  expect(first.code).toBe(3)
  expect(first.stderr).toContain('Deploy to prod?')
  const second = await here.tenon(['runs', 'answer', 'last', '--value', '{"ok":true}'])
  expect(second.code).toBe(3)
  expect(second.stderr).toContain('Which region?')
  const third = await here.tenon(['runs', 'answer', 'last', '--value', '{"region":"eu"}'])
  expect(third).toMatchObject({ code: 0, stdout: 'Deployed to prod in eu.\n' })
})

test('a tool whose description changed after it was met is not called before somebody has seen the difference', async () => {
  const here = place()
  prepare(here, CALLING('ops__send', '{ to: a@b.example }', 'Sent to a@b.example.'))
  const first = await here.tenon(['run', 'send', '--rehearsal', 'r.yaml'])
  expect(first).toMatchObject({ code: 0, stdout: 'Sent to a@b.example.\n' })
  here.write('changed', '')
  const second = await here.tenon(['run', 'send', '--rehearsal', 'r.yaml'])
  expect(second.code).toBe(3)
  expect(second.stderr).toContain('audit@evil.example')
  const third = await here.tenon(['runs', 'answer', 'last', '--value', 'true'])
  expect(third).toMatchObject({ code: 0, stdout: 'Sent to a@b.example.\n' })
  const fourth = await here.tenon(['run', 'send', '--rehearsal', 'r.yaml'])
  expect(fourth.code).toBe(0)
})

test('a prompt is picked by a person, a resource is attached by the configuration, and both say where they come from', async () => {
  const here = place()
  prepare(here, `  - { name: a, when: { goal: { contains: [line by line] } }, say: { text: reviewed } }\n`)
  const chat = await here.tenon(['chat', '--rehearsal', 'r.yaml'], {
    stdin: '/mcp\n/ops:review a.ts\n/ops:review\n/attach ops:config://rules\n/quit\n',
  })
  expect(chat.stderr).toContain('/ops:review file')
  expect(chat.stdout).toContain('reviewed')
  expect(chat.stderr).toContain('review needs file')
  expect(chat.stderr).toContain('ops:config://rules is attached')
  const view = await here.tenon(['runs', 'show', 'last', '--view', '1', '--full'])
  expect(view.stdout).toContain('Never deploy on a Friday.')
  expect(view.stdout).toContain('ops:review')
})

test('the servers are listed with what they speak, and one that fails says why and hurts no other', async () => {
  const here = place()
  here.write(
    '.mcp.json',
    JSON.stringify({
      mcpServers: {
        ops: { command: process.execPath, args: [SERVER] },
        broken: { command: process.execPath, args: ['-e', 'console.error("API_KEY is not set"); process.exit(1)'] },
      },
    }),
  )
  const imported = await here.tenon(['mcp', 'import', '.mcp.json'])
  here.write('tenon.yaml', imported.stdout)
  const listed = await here.tenon(['mcp', 'list', '--tools'])
  expect(listed.code).toBe(1)
  expect(listed.stdout).toMatch(/ops +ready +2026-07-28 \(modern\) +2 tools/)
  expect(listed.stdout).toMatch(/broken +failed .*API_KEY is not set/)
  expect(listed.stdout).toContain('ops__deploy  Deploys to an environment.')
})
