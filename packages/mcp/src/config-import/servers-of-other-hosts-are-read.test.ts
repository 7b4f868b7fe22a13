import { expect, test } from 'vitest'
import { knownServerFiles } from './known-server-files.js'
import { readServerFile } from './read-server-file.js'

const variables = { env: { TOKEN: 't0', REGION: '' }, home: '/home/u', workspace: '/home/u/project' }

test('a .mcp.json of Claude Code, with variables and what stands for them', () => {
  const { servers, problems } = readServerFile(
    JSON.stringify({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'server', '${DIR:-/data}'], env: { KEY: '${TOKEN}' } },
        web: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
        old: { type: 'sse', url: 'https://example.com/sse' },
        off: { command: 'x', disabled: true },
        poor: { command: 'x', env: { KEY: '${NOWHERE}' } },
        odd: 7,
      },
    }),
    '.mcp.json',
    variables,
  )
  expect(servers.map(({ name }) => name)).toEqual(['files', 'web', 'old'])
  const [files, web, old] = servers.map(({ target }) => target)
  expect(files).toEqual({ kind: 'stdio', command: 'npx', args: ['-y', 'server', '/data'], env: { KEY: 't0' } })
  expect(web?.kind === 'http' && web.headers?.()).toEqual({ Authorization: 'Bearer t0' })
  expect(old).toMatchObject({ transport: 'sse' })
  expect(problems).toEqual(['poor: needs NOWHERE, which is not set here', 'odd: is no object'])
})

test('a mcp.json of VS Code, with comments, trailing commas and inputs', () => {
  const { servers, problems } = readServerFile(
    `// mine
    { "inputs": [{ "id": "key", "type": "promptString" }], /* all */
      "servers": {
        "a": { "type": "stdio", "command": "\${workspaceFolder}/run//it", "args": ["--home", "\${userHome}",], },
        "b": { "url": "https://example.com/mcp", "headers": { "x-key": "\${input:key}" } },
      },
    }`,
    'mcp.json',
    variables,
  )
  expect(servers).toEqual([
    {
      name: 'a',
      target: { kind: 'stdio', command: '/home/u/project/run//it', args: ['--home', '/home/u'] },
    },
  ])
  expect(problems).toEqual(['b: needs the input "key", which is not set here'])
})

test('the servers of one project in the file of Claude Code', () => {
  const text = JSON.stringify({
    mcpServers: { all: { command: 'a' } },
    projects: { '/home/u/project': { mcpServers: { here: { command: 'b' } } } },
  })
  const { servers } = readServerFile(text, '.claude.json', variables)
  expect(servers.map(({ name }) => name)).toEqual(['all', 'here'])
})

test('a file that is no JSON, or has no servers, is named', () => {
  expect(() => readServerFile('{', 'x.json', variables)).toThrow('x.json is no JSON')
  expect(() => readServerFile('{}', 'x.json', variables)).toThrow('neither "mcpServers" nor "servers"')
})

test('where the hosts keep their files, by platform', () => {
  const on = (platform: NodeJS.Platform): string | undefined =>
    knownServerFiles('/p', '/h', { APPDATA: '/h/roaming' }, platform).find(({ host }) => host === 'claude-desktop')
      ?.file
  expect(on('linux')).toBe('/h/.config/Claude/claude_desktop_config.json')
  expect(on('darwin')).toBe('/h/Library/Application Support/Claude/claude_desktop_config.json')
  expect(on('win32')).toBe('/h/roaming/Claude/claude_desktop_config.json')
})
