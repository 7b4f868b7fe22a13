import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Artifacts, Engine, ErrorRecord, FramePart, JsonObject, Tool } from '@tenon/kernel'
import { userDataFolder } from '@tenon/models'
import {
  activateSkillTool,
  CATALOGUE_BUDGET,
  type Catalogue,
  catalogueOf,
  chooseSandbox,
  DIAGNOSTICS,
  followLibrary,
  type LoadedSkill,
  namedSkillsMetadata,
  readSkillFileTool,
  runSkillScriptTool,
  type SandboxPolicy,
  SkillIndex,
  SkillLibrary,
  type SkillSet,
  type SkillTrust,
  scriptsOf,
  searchSkillsTool,
  skillsNamedIn,
  standardRoots,
  trustFile,
} from '@tenon/skills'
import type { SandboxConfig, SkillsConfig } from '../config/config-table.js'
import type { Environment } from '../config/interpolate.js'
import { ajvCompiler } from '../schema/ajv-compiler.js'
import { readWorkspaceFile } from '../tools/read-workspace-file.js'
import { scriptGrants } from './script-grants.js'
import type { ServedSkills } from './served-skills.js'

type SkillsPlace = {
  readonly config: SkillsConfig
  readonly environment: Environment
  readonly cwd: string
  readonly workspace: string
  /** What MCP servers offer. */
  readonly served?: ServedSkills
}

export type SkillsOptions = SkillsPlace & {
  /** The folder of the configuration. */
  readonly folder: string
  readonly sandbox: SandboxConfig
}

/** What a catalogue is made to fit: the goal of a run, and the window of its model in tokens. */
type Fitting = { readonly goal?: string; readonly window?: number }

/** The skills of this place, for every face. */
export type OpenSkills = {
  readonly library: SkillLibrary
  readonly trust: SkillTrust
  /** Without the skills that the configuration hides. */
  current(): SkillSet
  /** What the view of an agent holds of them, cut to fit. */
  catalogue(fitting?: Fitting): Catalogue | undefined
  part(fitting?: Fitting): FramePart | undefined
  /** What a run keeps: the skills that its goal names, and what was wrong with others when it began. */
  metadata(goal: string): JsonObject
  toolsFor(around: SkillToolsAround): { readonly tools: readonly Tool[] }
  /** Calls back whenever the skills of this place have changed, until it is told to stop. */
  follow(changed: () => void): () => void
  /** Skills that are there and cannot be used, one line each. */
  problems(): readonly ErrorRecord[]
}

type SkillToolsAround = {
  readonly engine: () => Engine
  readonly artifacts: Artifacts
  readonly agents: ReadonlySet<string>
  /** Names of all tools of the agent. */
  readonly offered: () => ReadonlySet<string>
  /** The agent that is like this one and asks that model, where the configuration has it. */
  readonly underModel: (agent: string, alias: string) => string | undefined
}

/** Where people keep which versions of skills they trust. */
export const skillTrustFile = (environment: Environment): string =>
  join(userDataFolder(environment), 'skills', 'trusted.json')

/** The library of this place, not loaded yet. */
function skillLibrary({ config, environment, cwd, workspace, served }: SkillsPlace): SkillLibrary {
  const here = standardRoots({
    cwd,
    workspace,
    home: environment.HOME || environment.USERPROFILE || homedir(),
    trusted: config.project !== 'untrusted',
    ...(config.folders === undefined ? {} : { folders: config.folders }),
  })
  return new SkillLibrary([...here, ...(served?.roots ?? [])])
}

/** Finds and reads the skills of this place. */
export async function openSkills(options: SkillsOptions): Promise<OpenSkills> {
  const library = skillLibrary(options)
  await library.load()
  const trust = trustFile(skillTrustFile(options.environment))
  const current = visibleSkills(library, options.config.hide ?? [])
  const index = indexed(current)
  const catalogue = ({ goal, window }: Fitting = {}): Catalogue | undefined =>
    catalogueOf(current().skills, {
      budget: options.config.catalogueTokens ?? budgetFor(window),
      index: index(),
      ...(goal === undefined ? {} : { goal }),
    })
  const problems = (): readonly ErrorRecord[] => [
    ...problemsOf(current()),
    ...(options.served?.problems ?? []).map(problem),
  ]
  return {
    library,
    trust,
    current,
    catalogue,
    part(fitting) {
      const made = catalogue(fitting)
      if (made === undefined) return undefined
      return { partId: 'skills', kind: 'knowledge', provenance: { source: 'skill', trust: 'vetted' }, text: made.text }
    },
    metadata(goal) {
      const told = problems().map(({ message }) => message)
      return {
        ...namedSkillsMetadata(skillsNamedIn(goal, current())),
        ...(told.length === 0 ? {} : { skillProblems: told }),
      }
    },
    toolsFor: (around) => toolsOf(current, trust, around, options),
    follow: (changed) => followLibrary(library, { onChange: changed }),
    problems,
  }
}

/** A tenth of a small window at most: a catalogue is not what a run is about. */
const budgetFor = (window = Number.POSITIVE_INFINITY): number =>
  Math.max(MIN_BUDGET, Math.min(CATALOGUE_BUDGET, Math.floor(window / 10)))

const MIN_BUDGET = 200

/** The set without what is hidden; the same object as long as nothing changed. */
function visibleSkills(library: SkillLibrary, hidden: readonly string[]): () => SkillSet {
  if (hidden.length === 0) return () => library.current
  const names = new Set(hidden)
  let seen: SkillSet | undefined
  let shown = library.current
  return () => {
    if (library.current === seen) return shown
    seen = library.current
    const skills = seen.skills.filter(({ name }) => !names.has(name))
    shown = { ...seen, skills, byName: new Map([...seen.byName].filter(([name]) => !names.has(name))) }
    return shown
  }
}

function indexed(current: () => SkillSet): () => SkillIndex {
  let set: SkillSet | undefined
  let index = new SkillIndex([])
  return () => {
    if (current() !== set) {
      set = current()
      index = new SkillIndex(set.skills.filter(({ modelVisible }) => modelVisible))
    }
    return index
  }
}

/** Made anew when the skills change, so that the names in the schema are the real ones. */
function toolsOf(
  current: () => SkillSet,
  trust: SkillTrust,
  around: SkillToolsAround,
  options: SkillsOptions,
): { readonly tools: readonly Tool[] } {
  let set: SkillSet | undefined
  let made: readonly Tool[] = []
  return {
    get tools() {
      if (current() === set) return made
      set = current()
      made = set.byName.size === 0 ? [] : makeTools(current, trust, around, options)
      return made
    },
  }
}

function makeTools(
  skills: () => SkillSet,
  trust: SkillTrust,
  around: SkillToolsAround,
  options: SkillsOptions,
): readonly Tool[] {
  const compile = ajvCompiler
  return [
    activateSkillTool({ skills, trust, compile, ...around, onTakenUp: (skill) => tryOutFor(skill, options) }),
    searchSkillsTool({ skills, compile }),
    readSkillFileTool({ skills, compile, artifacts: around.artifacts }),
    ...scriptTools(skills, around.artifacts, options),
  ]
}

const sandboxPolicy = ({ sandbox }: SkillsOptions): SandboxPolicy => ({ require: 'strong', ...sandbox })

/** A sandbox is tried out once, before its first program: the time for that is there while the model reads the skill. */
function tryOutFor(skill: LoadedSkill, options: SkillsOptions): void {
  // Whoever runs a script hears what is wrong.
  if (scriptsOf(skill).length > 0) chooseSandbox(sandboxPolicy(options)).catch(() => {})
}

/** Offered where a skill has scripts. */
function scriptTools(skills: () => SkillSet, artifacts: Artifacts, options: SkillsOptions): readonly Tool[] {
  if (![...skills().byName.values()].some((skill) => scriptsOf(skill).length > 0)) return []
  const { config, folder, workspace } = options
  const policy = sandboxPolicy(options)
  return [
    runSkillScriptTool({
      skill: (name) => skills().byName.get(name),
      sandbox: (program) => chooseSandbox(policy, program),
      grants: (skill) => scriptGrants(config, folder, skill),
      artifacts,
      compile: ajvCompiler,
      workspace,
      readFile: (path) => readWorkspaceFile(workspace, path),
      believeEffects: policy.require === 'strong',
    }),
  ]
}

const MAX_PROBLEMS = 5

function problemsOf({ skills }: SkillSet): readonly ErrorRecord[] {
  const lost = skills.filter(({ loadable }) => !loadable)
  const told = lost.slice(0, MAX_PROBLEMS).map((skill) => {
    const reason = skill.diagnostics.find(({ kind }) => DIAGNOSTICS[kind].blocks) ?? skill.diagnostics[0]
    const where = reason?.line === undefined ? '' : ` (line ${reason.line})`
    return problem(`The skill ${skill.name} cannot be used: ${reason?.message ?? 'it cannot be read.'}${where}`)
  })
  const more = lost.length - told.length
  return more > 0 ? [...told, problem(`${more} more skills cannot be used; tenon skills doctor lists them.`)] : told
}

const problem = (message: string): ErrorRecord => ({ code: 'skill-unavailable', message, retryable: false })
