import type { AgentCard } from '@tenon/a2a'
import { expect, test } from 'vitest'
import type { PeerFacts, ProjectFacts, ServerFacts, SkillFacts, ToolFacts } from './project-facts.js'
import { peerIsAFunction } from './rules/peer-is-a-function.js'
import { peerWithoutOwnLife } from './rules/peer-without-own-life.js'
import { scriptsWithoutASandbox } from './rules/scripts-without-a-sandbox.js'
import { skillInAServer } from './rules/skill-in-a-server.js'
import { skillNeedsMissingTools } from './rules/skill-needs-missing-tools.js'
import { toolSaysTooLittle } from './rules/tool-says-too-little.js'
import { toolsWithoutAMethod } from './rules/tools-without-a-method.js'

const NOTHING: ProjectFacts = {
  agents: [],
  servers: [],
  skills: [],
  peers: [],
  toolNames: new Set(),
  toolCatalogue: { entries: 0, tokens: 0, budget: 0 },
  skillCatalogue: { entries: 0, tokens: 0, budget: 0 },
  sandbox: { usable: false, reason: 'none' },
  deprecatedSettings: [],
}

const tool = (name: string, description: string, properties: ToolFacts['input'] = {}): ToolFacts => ({
  name,
  shownName: `s__${name}`,
  description,
  input: { type: 'object', properties },
})

const server = (tools: readonly ToolFacts[], more: Partial<ServerFacts> = {}): ServerFacts => ({
  name: 's',
  state: 'ready',
  instructions: '',
  capabilities: {},
  tools,
  tokens: 0,
  deprecated: [],
  ...more,
})

const skill = (text: string, more: Partial<SkillFacts> = {}): SkillFacts => ({
  name: 'k',
  folder: 'skills/k',
  loadable: true,
  modelVisible: true,
  text,
  allowedTools: [],
  requires: [],
  missing: [],
  scripts: [],
  ...more,
})

const QUERY = { q: { type: 'string', description: 'Part of a name.' } }

test.each([
  ['', {}, 'scope'],
  ['Get order.', {}, 'scope'],
  ['获取订单', {}, 'scope'],
  ['按客户名称或编号查询一个订单的当前状态', {}, undefined],
  ['The status of one order of the shop.', {}, undefined],
  ['The status of one order of the shop.', { id: { type: 'string' } }, 'form of id'],
  ['The status of one order of the shop.', { id: { type: 'string', pattern: '^A-' } }, undefined],
  ['The status of one order of the shop.', { deep: { type: 'boolean' } }, undefined],
  ['The status of one order of the shop.', { ids: { type: 'array', items: { type: 'string' } } }, 'form of ids'],
  ['The status of one order of the shop.', { at: { type: 'object', properties: QUERY } }, undefined],
])('a description %j with %j lacks %s', (description, properties, lack) => {
  const found = toolSaysTooLittle.look({ ...NOTHING, servers: [server([tool('get_order', description, properties)])] })
  expect(found.map(({ text }) => text)).toEqual(lack === undefined ? [] : [`get_order does not say: ${lack}`])
})

test.each([
  ['search_orders', 'Finds orders of the shop by customer name.', QUERY, true],
  ['searchOrders', 'Finds orders of the shop by customer name.', QUERY, true],
  ['search_orders', 'Finds orders of the shop by customer name, at most 20.', QUERY, false],
  [
    'search_orders',
    'Finds orders of the shop by customer name.',
    { ...QUERY, limit: { type: 'integer', minimum: 1 } },
    false,
  ],
  ['close_order', 'Closes an order of the shop for good.', QUERY, false],
])('%s (%s) has to name a limit: %s', (name, description, properties, lacks) => {
  const found = toolSaysTooLittle.look({ ...NOTHING, servers: [server([tool(name, description, properties)])] })
  expect(found.length > 0).toBe(lacks)
})

test.each([
  [tool('refund', 'Refunds. Steps: 1. Look up. 2. Compare. 3. Ask.', QUERY), true],
  [tool('refund', 'Refunds.\n1) Look up\n2) Compare\n3) Ask', QUERY), true],
  [tool('get_style_guide', 'Returns our style guide.'), true],
  [tool('get_style_guide', 'The style guide of one brand.', QUERY), false],
  [tool('list_guidelines', 'Lists the guidelines that there are.'), false],
  [tool('convert', 'Converts version 1. and 2.5 of a file; at most 3. files.', QUERY), false],
  [tool('refund', '退款流程：1、查询订单 2、核对金额 3、请示主管', QUERY), true],
  [tool('get_rules', '返回退款操作指南。'), true],
  [tool('now', 'The time of the server.'), false],
])('a method in $name ($description): %s', (one, frozen) => {
  expect(skillInAServer.look({ ...NOTHING, servers: [server([one])] }).length > 0).toBe(frozen)
})

test('tools are spoken of by name, by server, by the prompt of an agent, and not by accident', () => {
  const servers = [server(['aaa', 'bbb', 'ccc'].map((name) => tool(name, '')))]
  const finds = (more: Partial<ProjectFacts>): boolean =>
    toolsWithoutAMethod.look({ ...NOTHING, servers, ...more }).length > 0
  expect(finds({})).toBe(true)
  expect(finds({ skills: [skill('Call s__aaa first.')] })).toBe(false)
  expect(finds({ skills: [skill('Call mcp__s__zzz first.')] })).toBe(false)
  expect(finds({ skills: [skill('', { requires: [{ kind: 'mcp', name: 's/aaa' }] })] })).toBe(false)
  expect(finds({ skills: [skill('The aaab and my-bbb.')] })).toBe(true)
  expect(finds({ skills: [skill('Call s__aaa first.', { loadable: false })] })).toBe(true)
  const agent = {
    name: 'a',
    system: 'Use aaa.',
    limits: {},
    offered: [],
    tools: [],
    delegates: false,
    isPublic: false,
    isUnpriced: false,
  }
  expect(finds({ agents: [agent] })).toBe(false)
})

test('what a server has that does not answer is told of the server and not of the skill', () => {
  const skills = [skill('Call mcp__s__aaa.', { allowedTools: ['Bash(git:*)', 'Read'] })]
  const late = { ...NOTHING, skills, servers: [server([], { state: 'late' })], toolNames: new Set(['read_file']) }
  expect(skillNeedsMissingTools.look(late).map(({ text }) => text)).toEqual([
    'it names Bash(git:*): run_command is not offered here',
  ])
  const ready = { ...late, servers: [server([])] }
  expect(skillNeedsMissingTools.look(ready).map(({ text }) => text)).toContain(
    'it names mcp__s__aaa: s__aaa is not offered here',
  )
})

const DATA = ['application/json']
const ONE = { id: 'one', name: 'One', description: '' }

const card = (more: Partial<AgentCard> = {}): AgentCard => ({
  name: 'helper',
  description: '',
  version: '1',
  interfaces: [],
  streaming: false,
  pushNotifications: false,
  extensions: [],
  requiredExtensions: [],
  skills: [ONE],
  securitySchemes: [],
  json: { defaultInputModes: DATA, defaultOutputModes: DATA, skills: [ONE] },
  ...more,
})

const peer = (more: Partial<PeerFacts> = {}): PeerFacts => ({
  name: 'p',
  url: 'http://127.0.0.1:1',
  isLocal: true,
  hasCredentials: false,
  card: card(),
  ...more,
})

test.each([
  [card(), true],
  [card({ json: { defaultInputModes: DATA, defaultOutputModes: ['text/plain'], skills: [ONE] } }), false],
  [
    card({
      json: { defaultInputModes: DATA, defaultOutputModes: DATA, skills: [{ ...ONE, outputModes: ['text/plain'] }] },
    }),
    false,
  ],
  [card({ streaming: true }), false],
  [card({ skills: [] }), false],
])('a card %# is that of a function: %s', (shown, isFunction) => {
  expect(peerIsAFunction.look({ ...NOTHING, peers: [peer({ card: shown })] }).length > 0).toBe(isFunction)
})

test('a local peer has a life of its own by following tasks, by knowing callers, or by being elsewhere', () => {
  const found = (one: PeerFacts): readonly string[] =>
    peerWithoutOwnLife.look({ ...NOTHING, peers: [one] }).map(({ text }) => text)
  expect(found(peer())).toHaveLength(1)
  expect(found(peer({ isLocal: false }))).toEqual([])
  expect(found(peer({ card: card({ pushNotifications: true }) }))).toEqual([])
  expect(found(peer({ card: card({ securitySchemes: ['key'] }) }))).toEqual([])
})

test('a peer that is an agent of this very configuration is told so, whatever its card declares', () => {
  const agent = {
    name: 'helper',
    system: '',
    limits: {},
    offered: [],
    tools: [],
    delegates: false,
    isPublic: true,
    isUnpriced: false,
  }
  const shown = card({ streaming: true })
  const found = peerWithoutOwnLife.look({ ...NOTHING, agents: [agent], peers: [peer({ card: shown })] })
  expect(found.map(({ text }) => text)).toEqual(['it is the agent helper of this configuration'])
})

test('where only JavaScript can be confined, only other scripts are without a sandbox', () => {
  const skills = [skill('', { scripts: ['scripts/a.mjs', 'scripts/b.py'] }), skill('', { scripts: ['scripts/c.js'] })]
  const quickjs = { usable: true, name: 'quickjs', strength: 'strong', runs: 'javascript' } as const
  const found = scriptsWithoutASandbox.look({ ...NOTHING, skills, sandbox: quickjs })
  expect(found.map(({ text }) => text)).toEqual(['scripts/b.py: quickjs runs JavaScript only'])
  expect(scriptsWithoutASandbox.look({ ...NOTHING, skills })).toHaveLength(2)
  expect(scriptsWithoutASandbox.look({ ...NOTHING, skills, sandbox: { ...quickjs, runs: 'any program' } })).toEqual([])
})
