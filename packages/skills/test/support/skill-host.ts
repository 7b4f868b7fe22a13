import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type Agent,
  createEngine,
  type Engine,
  type JsonObject,
  type Model,
  type ModelBlock,
  type ModelRequest,
  memoryArtifacts,
  memoryGrants,
  memoryInbox,
  memoryJournal,
  memoryLeases,
  plainText,
  type RunEvent,
  type RunId,
  react,
  type SchemaCompiler,
  type Tool,
} from '@tenon/kernel'
import { onTestFinished } from 'vitest'
import { activateSkillTool } from '../../src/activation/activate-skill.js'
import { beginningWithNamedSkills, namedSkillsMetadata, skillsNamedIn } from '../../src/activation/named-skills.js'
import { readSkillFileTool } from '../../src/activation/read-skill-file.js'
import { searchSkillsTool } from '../../src/activation/search-skills.js'
import { trustFile } from '../../src/activation/skill-trust.js'
import { SkillLibrary } from '../../src/discovery/skill-library.js'

const AUTHOR = { provider: 'script', model: 'script', dialect: 'script' }
const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
/** Takes everything: what a schema refuses is tested where schemas are. */
const takeAll: SchemaCompiler = (json) => ({ json, check: (value) => ({ ok: true, value }) })

export const call = (name: string, args: JsonObject = {}): ModelBlock => ({
  kind: 'tool-call',
  name,
  args,
  author: AUTHOR,
})
export const say = (said: string): ModelBlock => ({ kind: 'text', text: said, author: AUTHOR })

/** A folder that goes with the test. Files by their paths. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-skills-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

export const skillFile = (name: string, more = '', body = `The method of ${name}.`): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}\n`

export type SkillHost = {
  readonly engine: Engine
  readonly library: SkillLibrary
  readonly trust: ReturnType<typeof trustFile>
  /** What the model was shown, turn by turn. */
  readonly requests: readonly ModelRequest[]
  /** Skills whose bodies entered the view, in order. */
  readonly takenUp: readonly string[]
  run(goal: string): Promise<{ readonly runId: RunId; readonly state: string; readonly outputs: readonly string[] }>
  events(runId: RunId): readonly RunEvent[]
}

/** An agent with the tools of skills over an engine in memory; the model says its lines. */
export async function skillHost(
  folder: string,
  lines: readonly (readonly ModelBlock[])[] | ((request: ModelRequest, turn: number) => readonly ModelBlock[]),
  more: {
    readonly tools?: readonly Tool[]
    readonly contextWindow?: number
    readonly agents?: readonly string[]
    readonly models?: readonly string[]
  } = {},
): Promise<SkillHost> {
  const library = new SkillLibrary([{ path: folder, scope: 'project', trusted: true }])
  await library.load()
  const requests: ModelRequest[] = []
  const takenUp: string[] = []
  const model: Model = {
    author: AUTHOR,
    contextWindow: more.contextWindow ?? 100_000,
    *generate(request) {
      requests.push({ ...request, messages: [...request.messages] })
      const blocks = typeof lines === 'function' ? lines(request, requests.length) : (lines[requests.length - 1] ?? [])
      for (const [index, block] of blocks.entries()) yield { kind: 'block-ended', index, block }
      const finish = blocks.some(({ kind }) => kind === 'tool-call') ? 'tool-calls' : 'stop'
      yield { kind: 'finished', finish, usage: null, diagnostics: [] }
    },
  }
  const trust = trustFile(join(folder, 'trust.json'))
  const artifacts = memoryArtifacts(sha256)
  const skills = () => library.current
  const tools: Tool[] = [
    activateSkillTool({
      skills,
      trust,
      compile: takeAll,
      engine: () => engine,
      offered: () => new Set(tools.map(({ name }) => name)),
      agents: new Set(more.agents ?? []),
      underModel: (agent, model) => (more.models?.includes(model) ? `${agent} under ${model}` : undefined),
      onTakenUp: ({ name }) => void takenUp.push(name),
    }),
    searchSkillsTool({ skills, compile: takeAll }),
    readSkillFileTool({ skills, artifacts, compile: takeAll }),
    ...(more.tools ?? []),
  ]
  const agent = (name: string): Agent => ({
    name,
    model,
    tools,
    planner: beginningWithNamedSkills(react()),
    policy: { rules: [] },
    frame: [{ partId: 'system', kind: 'system-prompt', provenance: { source: 'host', trust: 'host' }, text: 'Work.' }],
    limits: {},
  })
  const journal = memoryJournal()
  const engine = createEngine({
    journal,
    inbox: memoryInbox(),
    leases: memoryLeases(),
    grants: memoryGrants(),
    artifacts,
    agents: (name) =>
      ['tester', ...(more.agents ?? [])].includes(name.split(' under ')[0] ?? '') ? agent(name) : undefined,
    digest: (value) => `sha256:${sha256(value)}`,
  })
  return {
    engine,
    library,
    trust,
    requests,
    takenUp,
    async run(goal) {
      const metadata = namedSkillsMetadata(skillsNamedIn(goal, library.current))
      const runId = await engine.submit({ agent: 'tester', goal, metadata })
      const run = await engine.drive(runId)
      return { runId, state: run.state, outputs: [...run.calls.values()].map(({ content }) => plainText([...content])) }
    },
    events: (runId) => journal.load(runId) as readonly RunEvent[],
  }
}
