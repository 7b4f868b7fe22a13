/** What `tenon new` makes: one joint between an agent and a counterpart. */
export const JOINTS = ['tool', 'mcp-server', 'skill', 'agent', 'peer'] as const

export type Joint = (typeof JOINTS)[number]

/** A file of a joint: where it lies below `templates/`, and where it goes. `NAME` is the name of the joint. */
type TemplateFile = { readonly from: string; readonly to: string }

/** What a joint adds to `tenon.yaml`. */
export type ConfigEntry = { readonly path: readonly string[]; readonly value: Readonly<Record<string, unknown>> }

type JointTraits = {
  readonly files: readonly TemplateFile[]
  readonly entry?: (name: string) => ConfigEntry
  /** What the user does next, one line each. */
  readonly next: readonly string[]
}

/** A peer's entry comes from its card. */
export const JOINT_TRAITS: Readonly<Record<Joint, JointTraits>> = {
  tool: {
    files: [
      { from: 'tool/tool.mjs', to: 'tools/NAME.mjs' },
      { from: 'tool/a-run-calls-the-tool.test.mjs', to: 'test/NAME.test.mjs' },
    ],
    next: ['node --test', 'agent({ model, tools: [IDENTIFIER] }) in a program of yours offers it to an agent'],
  },
  'mcp-server': {
    files: [
      { from: 'mcp-server/package.json', to: 'servers/NAME/package.json' },
      { from: 'mcp-server/server.mjs', to: 'servers/NAME/server.mjs' },
      { from: 'mcp-server/a-client-finds-orders.test.mjs', to: 'servers/NAME/server.test.mjs' },
    ],
    entry: (name) => ({
      path: ['mcp', 'servers', name],
      value: { command: 'node', args: [`servers/${name}/server.mjs`], trusted: true },
    }),
    next: ['npm install --prefix servers/NAME', 'node --test', 'tenon mcp inspect --server NAME'],
  },
  skill: {
    files: [
      { from: 'skill/SKILL.md', to: '.agents/skills/NAME/SKILL.md' },
      { from: 'skill/check.mjs', to: '.agents/skills/NAME/scripts/check.mjs' },
      { from: 'skill/the-script-checks-a-draft.test.mjs', to: 'test/NAME.skill.test.mjs' },
    ],
    next: ['node --test', 'tenon run "/NAME …"'],
  },
  agent: {
    files: [
      { from: 'agent/rehearsal.yaml', to: 'test/NAME.rehearsal.yaml' },
      { from: 'agent/the-agent-reads-before-it-answers.test.mjs', to: 'test/NAME.agent.test.mjs' },
    ],
    entry: (name) => ({
      path: ['agents', name],
      value: {
        description: 'Answers questions from the files of this folder.',
        system: 'You answer from files and from nothing else. Look before you answer, and name the file.',
        tools: ['list_files', 'read_file', 'search_files'],
        limits: { steps: 20, tokens: 200_000 },
      },
    }),
    next: ['node --test', 'tenon run --agent NAME "…"'],
  },
  peer: {
    files: [{ from: 'peer/the-peer-shows-its-card.test.mjs', to: 'test/NAME.peer.test.mjs' }],
    next: ['node --test', 'tenon a2a send NAME "…"'],
  },
}
