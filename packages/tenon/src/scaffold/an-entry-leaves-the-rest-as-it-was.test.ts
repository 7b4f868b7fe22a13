import { expect, test } from 'vitest'
import { withEntry } from './with-entry.js'

const entry = { path: ['mcp', 'servers', 'crm'], value: { command: 'node', args: ['crm.mjs'] } }
const CRM = (indent: string): string =>
  `${indent}crm:\n${indent}  command: node\n${indent}  args:\n${indent}    - crm.mjs\n`

test.each([
  ['an empty file', '', `mcp:\n  servers:\n${CRM('    ')}`],
  ['a file of comments', '# mine\n', `# mine\n\nmcp:\n  servers:\n${CRM('    ')}`],
  ['another part', 'agent: a # why\n', `agent: a # why\nmcp:\n  servers:\n${CRM('    ')}`],
  ['without a line end', 'agent: a', `agent: a\nmcp:\n  servers:\n${CRM('    ')}`],
  [
    'a neighbour, a comment and another part below',
    'mcp:\n  servers:\n    files: { command: x } # kept\n\n# the rest\nagent: a\n',
    `mcp:\n  servers:\n    files: { command: x } # kept\n${CRM('    ')}\n# the rest\nagent: a\n`,
  ],
  [
    'another indent and a block text at its end',
    'mcp:\n    servers:\n        files:\n            command: |\n                a\n                b\n',
    `mcp:\n    servers:\n        files:\n            command: |\n                a\n                b\n${CRM('        ')}`,
  ],
  ['servers that have none yet', 'mcp:\n  wait: 5s\n', `mcp:\n  wait: 5s\n  servers:\n${CRM('    ')}`],
])('%s', (_, source, expected) => {
  expect(withEntry(source, entry)).toBe(expected)
})

test('a mapping in braces is written anew', () => {
  expect(withEntry('mcp: { servers: { a: { command: x } } }\n', entry)).toContain('crm: { command: node')
})

test('an entry of that name is refused', () => {
  expect(() => withEntry('mcp: { servers: { crm: { url: x } } }', entry)).toThrow(/stands in tenon.yaml already/)
})
