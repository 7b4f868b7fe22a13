import type { Limits } from '@tenon/kernel'
import { counted, spokenCount, spokenMoney, spokenTime } from '../cli/printer/words.js'
import type { Host } from '../host/host.js'
import type { Check } from './check.js'
import type { FoundSandbox } from './gather-sandbox.js'
import type { AgentFacts, PeerFacts, ProjectFacts, ServerFacts } from './project-facts.js'

/** What a project is made of, a line for each part. Whether the parts fit is for the rules to say. */
export function compositionChecks(facts: ProjectFacts, host: Host): readonly Check[] {
  return [
    ...facts.agents.map((agent) => agentCheck(agent, host)),
    ...facts.servers.map(serverCheck),
    ...catalogueCheck(facts),
    ...skillsCheck(facts, host),
    ...facts.peers.map(peerCheck),
  ]
}

/** The main agent with all of its tools, the others with how many they have. */
function agentCheck({ name, limits, tools }: AgentFacts, { agent, decision }: Host): Check {
  const isMain = name === agent.name
  const window = isMain && decision.choice !== null ? `window ${spokenCount(agent.model.contextWindow)} tokens; ` : ''
  const shown = isMain ? `tools: ${tools.join(', ') || 'none'}` : counted(tools.length, 'tool')
  return {
    state: 'ok',
    about: isMain ? 'agent' : `agent ${name}`,
    text: `${isMain ? `${name}; ` : ''}${window}${budgetOf(limits)}; ${shown}`,
  }
}

function budgetOf({ steps, tokens, money, wallMs }: Limits): string {
  const bounds = [
    ...(steps === undefined ? [] : [counted(steps, 'step')]),
    ...(tokens === undefined ? [] : [`${spokenCount(tokens)} tokens`]),
    ...(money === undefined ? [] : [spokenMoney(money)]),
    ...(wallMs === undefined ? [] : [spokenTime(wallMs)]),
  ]
  return `budget: ${bounds.join(', ') || 'none of its own'}`
}

function serverCheck({ name, state, era, version, tools, tokens, error }: ServerFacts): Check {
  const about = `mcp ${name}`
  if (state !== 'ready')
    return { state: 'note', about, text: `${state}${error === undefined ? '' : `: ${error.message}`}` }
  return {
    state: 'ok',
    about,
    text: `${era} (${version}), ${counted(tools.length, 'tool')}, ${spokenCount(tokens)} tokens`,
  }
}

function catalogueCheck({ servers, toolCatalogue: { entries, tokens, budget } }: ProjectFacts): readonly Check[] {
  if (servers.length < 2) return []
  const text = `${counted(entries, 'tool')} together, ${spokenCount(tokens)} of ${spokenCount(budget)} tokens`
  return [{ state: 'ok', about: 'mcp', text }]
}

function skillsCheck({ skills, skillCatalogue: { tokens, budget } }: ProjectFacts, host: Host): readonly Check[] {
  if (host.skills === undefined) return [{ state: 'note', about: 'skills', text: 'switched off in tenon.yaml' }]
  if (skills.length === 0) return []
  const ready = host.skills.current().byName.size
  const text = `${ready} of ${skills.length} are ready, ${spokenCount(tokens)} of ${spokenCount(budget)} tokens (tenon skills doctor)`
  return [{ state: skills.every(({ loadable }) => loadable) ? 'ok' : 'note', about: 'skills', text }]
}

function peerCheck({ name, card, way, signature, hasCredentials, error }: PeerFacts): Check {
  const about = `peer ${name}`
  if (card === undefined) return { state: 'note', about, text: error?.message ?? 'its card cannot be had' }
  const asks =
    card.securitySchemes.length === 0 ? 'asks for no credentials' : `asks for ${card.securitySchemes.join(', ')}`
  const version = card.version === '' ? '' : ` ${card.version}`
  const text = `${card.name}${version}, ${way ?? 'no way in'}, card ${signature}, ${asks}${hasCredentials ? ', ours are sent' : ''}`
  return { state: error === undefined ? 'ok' : 'note', about, text }
}

export function sandboxChecks(sandbox: FoundSandbox): readonly Check[] {
  const about = 'sandbox'
  if (!sandbox.usable) return [{ state: 'note', about, text: sandbox.reason }]
  const { strength, files, network, environment, processes, limits, user, notes } = sandbox.isolation
  const closed = `files ${files}, network ${network}, environment ${environment}, processes ${processes}, as ${user}`
  const runs = sandbox.runs === 'javascript' ? ' and runs JavaScript only' : ''
  const text = `${sandbox.name} is ${strength}${runs}: ${closed}; memory limited for ${limits.memory}, processes for ${limits.processes}`
  return [
    { state: strength === 'strong' ? 'ok' : 'note', about, text },
    ...notes.map((note): Check => ({ state: 'note', about, text: note })),
  ]
}
