import type { Requirement } from '@tenon/skills'

/** What it means that a requirement of a skill is not met. */
export const REQUIREMENT_WORDS: Readonly<Record<Requirement['kind'], string>> = {
  tool: 'no tool of that name is offered here',
  mcp: 'no such server stands under mcp.servers in tenon.yaml',
  peer: 'no such peer stands under peers in tenon.yaml',
  skill: 'no such skill is here',
  bin: 'that program is not installed',
  env: 'that variable is not set',
  script: 'the skill has no such file',
}
