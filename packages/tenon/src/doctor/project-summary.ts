import type { JsonObject } from '@tenon/kernel'
import type { ProjectFacts } from './project-facts.js'

/** The facts for programs: what there is and how it is, without texts and schemas. */
export function projectSummary(facts: ProjectFacts): JsonObject {
  const { agents, servers, skills, peers, toolCatalogue, skillCatalogue, sandbox } = facts
  return {
    agents: agents.map(({ name, modelProblem, limits, isPublic }) => ({
      name,
      answers: modelProblem === undefined,
      limits: { ...limits },
      public: isPublic,
    })),
    servers: servers.map(({ name, state, era = null, version = null, tools, tokens, deprecated, error }) => ({
      name,
      state,
      era,
      version,
      tools: tools.map((tool) => tool.shownName),
      tokens,
      deprecated,
      error: error?.code ?? null,
    })),
    skills: skills.map(({ name, folder, loadable, shadowedBy = null, missing }) => ({
      name,
      folder,
      loadable,
      shadowedBy,
      missing: missing.map((one) => `${one.kind}:${one.name}`),
    })),
    peers: peers.map(({ name, url, card, way = null, signature = null, error }) => ({
      name,
      url,
      card:
        card === undefined ? null : { name: card.name, version: card.version, skills: card.skills.map(({ id }) => id) },
      way,
      signature,
      credentials: card?.securitySchemes ?? [],
      error: error?.code ?? null,
    })),
    catalogues: { tools: { ...toolCatalogue }, skills: { ...skillCatalogue } },
    sandbox: { ...sandbox },
  }
}
