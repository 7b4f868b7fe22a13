import type { PeerFacts, ProjectFacts } from '../project-facts.js'
import type { Rule } from '../rule.js'

export const peerWithoutOwnLife: Rule = {
  id: 'peer-without-own-life',
  severity: 'warning',
  title: 'You do not need A2A here',
  reason:
    'A colleague on this machine that keeps nothing of its own, neither tasks to follow nor callers to tell apart, costs a server, a card and a network that can fail, and gives nothing that a sub-run has not: own prompt, tools, policy, limits and journal.',
  layer: 'an agent of this configuration, which others reach with run_agent',
  fix: 'Write it under agents (tenon new agent NAME) and take the peer out. Keep A2A where somebody else runs the agent, or where its work has to go on without this host.',
  look: (facts) =>
    facts.peers.flatMap((peer) => {
      const text = peer.isLocal ? whyNot(peer, facts) : undefined
      return text === undefined ? [] : [{ where: `peers.${peer.name}`, text }]
    }),
}

function whyNot({ card }: PeerFacts, { agents }: ProjectFacts): string | undefined {
  if (card === undefined) return undefined
  const own = agents.find(({ name, isPublic }) => isPublic && name === card.name)
  if (own !== undefined) return `it is the agent ${own.name} of this configuration`
  const lives = card.streaming || card.pushNotifications || card.securitySchemes.length > 0
  return lives ? undefined : 'it runs on this machine, follows no task by stream or push, and knows no callers'
}
