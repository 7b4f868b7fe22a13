import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SkillsError } from '../errors.js'
import { SANDBOX_LIMITS, type SandboxLimits } from '../sandbox/limits.js'
import { mountedWorkspace } from '../sandbox/mounted-workspace.js'
import type { OutputPiece, Sandbox, SandboxFolder, SandboxJob, SandboxResult } from '../sandbox/sandbox.js'
import { type Stage, stageFolder } from '../sandbox/stage-folder.js'
import { type Collected, collectOutputs } from './collect-outputs.js'
import { inlineMetadata, UNMET_PROGRAM } from './inline-metadata.js'
import { type Interpreter, interpreterOf } from './interpreter.js'
import type { ScriptGrants, ScriptSkill } from './script-skill.js'

export type ScriptRun = {
  readonly skill: ScriptSkill
  /** Relative to the skill. */
  readonly script: string
  readonly args: readonly string[]
  readonly input?: string
  /** Files that lie in the working folder when the script starts, by relative name. */
  readonly files?: ReadonlyMap<string, Uint8Array>
  readonly grants?: ScriptGrants
  /** The user's workspace, for a grant of it. */
  readonly workspace?: string
  readonly limits?: Partial<SandboxLimits>
  readonly signal?: AbortSignal
  readonly onOutput?: (piece: OutputPiece) => void
}

export type ScriptOutcome = SandboxResult & { readonly outputs: Collected }

/**
 * Runs a script of a skill in a sandbox: in an empty folder of its own, with the skill readable beside it, and collects
 * the files that it leaves.
 * @throws SkillsError `script-interpreter-missing`, `script-dependencies-missing`, `sandbox-cannot-grant`, `sandbox-failed`
 */
export async function runScript(sandbox: Sandbox, run: ScriptRun): Promise<ScriptOutcome> {
  const { grants = {}, skill, files = new Map() } = run
  const interpreter = interpreterOf(join(skill.folder, run.script))
  const stage = stageFolder('work', 'home')
  try {
    const place = layOut(stage, run, files, interpreter)
    await requireDependencies(sandbox, run, interpreter, place)
    const result = await sandbox.run({
      ...place,
      launch: (at) => ({
        command: commandOf(interpreter, `${at('skill')}/${run.script}`, run.args, place.limits),
        cwd: at('work'),
        env: {
          ...grants.env?.(),
          SKILL_DIR: at('skill'),
          CLAUDE_SKILL_DIR: at('skill'),
          ...(place.folders.workspace === undefined ? {} : { WORKSPACE_DIR: at('workspace') }),
        },
      }),
      ...(grants.network === undefined ? {} : { network: grants.network }),
      ...(run.input === undefined ? {} : { input: run.input }),
      ...(run.signal === undefined ? {} : { signal: run.signal }),
      ...(run.onOutput === undefined ? {} : { onOutput: run.onOutput }),
    })
    return { ...result, outputs: collectOutputs(stage.at('work'), files) }
  } finally {
    stage.remove()
  }
}

type Place = Pick<SandboxJob, 'folders' | 'home' | 'limits'>

function layOut(
  stage: Stage,
  { skill, grants = {}, workspace, limits = {} }: ScriptRun,
  files: ReadonlyMap<string, Uint8Array>,
  { runtime, overhead }: Interpreter,
): Place {
  const work = stage.at('work')
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(work, name)), { recursive: true })
    writeFileSync(join(work, name), bytes)
  }
  const folders: Record<string, SandboxFolder> = {
    work: { path: work, access: 'write', staged: true },
    home: { path: stage.at('home'), access: 'write', staged: true },
    skill: { path: skillFor(skill.folder, stage.at('skill')), access: 'read', staged: process.getuid?.() === 0 },
  }
  for (const [index, path] of runtime.entries()) folders[`runtime${index}`] = { path, access: 'read', keepPath: true }
  for (const [index, path] of (grants.folders ?? []).entries())
    folders[`granted${index}`] = { path, access: 'read', keepPath: true }
  if (grants.workspace !== undefined && workspace !== undefined)
    folders.workspace = mountedWorkspace(workspace, grants.workspace)
  const wallMs = grants.timeMs ?? limits.wallMs ?? SANDBOX_LIMITS.wallMs
  return {
    folders,
    home: 'home',
    limits: {
      ...SANDBOX_LIMITS,
      ...limits,
      wallMs,
      cpuSeconds: Math.max(limits.cpuSeconds ?? 0, Math.ceil(wallMs / 1000)),
      memory: grants.memory ?? limits.memory ?? SANDBOX_LIMITS.memory,
      overhead,
    },
  }
}

/** A host that is root gives the job a user of its own, which cannot read what only root can: it gets a copy. */
function skillFor(folder: string, copy: string): string {
  if (process.getuid?.() !== 0) return folder
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function commandOf(
  { name, command }: Interpreter,
  script: string,
  args: readonly string[],
  { memory }: SandboxLimits,
): readonly [string, ...string[]] {
  const [program, ...options] = command
  if (program === undefined) return [script, ...args]
  const bound = name === 'node' ? [`--max-old-space-size=${Math.max(16, Math.floor(memory / 1024 / 1024))}`] : []
  return [program, ...bound, ...options, script, ...args]
}

/** Nothing is installed for a script: what it declares must be there. Asked of the interpreter that will run it. */
async function requireDependencies(
  sandbox: Sandbox,
  { skill, script, signal }: ScriptRun,
  { name, command }: Interpreter,
  place: Place,
): Promise<void> {
  if (name !== 'python3') return
  const declared = inlineMetadata(readFileSync(join(skill.folder, script), 'utf8'))
  if (declared === undefined) return
  const { requiresPython = '', dependencies } = declared
  if (requiresPython === '' && dependencies.length === 0) return
  const { exitCode, stdout } = await sandbox.run({
    ...place,
    launch: (at) => ({
      command: [command[0] ?? 'python3', '-c', UNMET_PROGRAM, requiresPython, ...dependencies],
      cwd: at('home'),
    }),
    ...(signal === undefined ? {} : { signal }),
  })
  const unmet: readonly string[] = exitCode === 0 ? JSON.parse(stdout.text) : []
  if (unmet.length === 0) return
  throw new SkillsError(
    'script-dependencies-missing',
    `${script} of the skill ${skill.name} needs ${unmet.join(', ')}, and nothing is installed for a script. Install it for ${command[0] ?? 'python3'}, or do the step in another way.`,
    { detail: { unmet: [...unmet] } },
  )
}
