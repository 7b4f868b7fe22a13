import { join } from 'node:path'
import {
  type ArtifactBlock,
  ArtifactId,
  type Artifacts,
  type CallContext,
  type Effect,
  type HandResult,
  type JsonObject,
  type SchemaCompiler,
  type Tool,
  text,
} from '@tenon/kernel'
import { SkillsError } from '../errors.js'
import type { OutputPiece, Sandbox, SandboxPrograms } from '../sandbox/sandbox.js'
import { interpreterOf } from './interpreter.js'
import { runScript, type ScriptOutcome } from './run-script.js'
import { RUN_SCRIPT_INPUT, type RunScriptArgs } from './run-script-input.js'
import { declaredEffect, type ScriptGrants, type ScriptSkill, scriptsOf } from './script-skill.js'

export type RunSkillScriptOptions = {
  /** The skill of that name, if it can be used. */
  readonly skill: (name: string) => ScriptSkill | undefined
  /** For a program of that kind. @throws SkillsError `sandbox-missing` */
  readonly sandbox: (program: SandboxPrograms) => Promise<Sandbox>
  /** Asked at each call. */
  readonly grants?: (skill: string) => ScriptGrants
  readonly artifacts: Artifacts
  readonly compile: SchemaCompiler
  /** What a grant of the workspace means. */
  readonly workspace?: string
  /** Reads a file of the workspace as the model's own file tools would. */
  readonly readFile?: (path: string) => Promise<Uint8Array>
  /**
   * Whether a skill's own word on the effect of its scripts counts. Leave it off where the sandbox may be weaker than
   * `strong`: a pure call is run without asking.
   */
  readonly believeEffects?: boolean
}

const MOST_FILE_BYTES = 16 * 1024 * 1024
/** Characters of each stream that the model is shown at once; programs have the whole of what was kept. */
const SHOWN = 8_000

/** Runs a script that a skill brought along, in the sandbox, and hands over the files that it made. */
export function runSkillScriptTool(options: RunSkillScriptOptions): Tool {
  return Object.freeze({
    name: 'run_skill_script',
    title: 'Run a script of a skill',
    description:
      'Runs a script of a skill in a sandbox: no network, an empty working folder that is gone afterwards, the skill readable at $SKILL_DIR. Hand over text with files or stdin, files of the workspace with workspace, earlier deliverables with artifacts; every file that the script leaves in its working folder comes back as an artifact.',
    input: options.compile(RUN_SCRIPT_INPUT),
    effect: 'once',
    effectOf: (args: JsonObject) => effectOf(options, args),
    origin: { kind: 'skill', name: 'run_skill_script' },
    run: (args: JsonObject, context: CallContext) => runTool(options, args as unknown as RunScriptArgs, context),
  } satisfies Tool)
}

/** Declared by the skill; `once` where the script can reach anything that outlives it. */
function effectOf({ believeEffects, skill: find, grants }: RunSkillScriptOptions, args: JsonObject): Effect {
  const skill = typeof args.skill === 'string' ? find(args.skill) : undefined
  if (skill === undefined || !believeEffects) return 'once'
  const { workspace, network = [] } = grants?.(skill.name) ?? {}
  const script = resolveScript(skill, String(args.script))
  if (script === undefined || workspace === 'write' || network.length > 0) return 'once'
  return declaredEffect(skill, script)
}

async function runTool(options: RunSkillScriptOptions, args: RunScriptArgs, context: CallContext): Promise<HandResult> {
  const skill = options.skill(args.skill)
  if (skill === undefined) throw new SkillsError('skill-unknown', `There is no skill "${args.skill}".`)
  const script = resolveScript(skill, args.script)
  if (script === undefined) throw unknownScript(skill, args.script)
  const { name: interpreter } = interpreterOf(join(skill.folder, script))
  const sandbox = await options.sandbox(interpreter === 'node' ? 'javascript' : 'any program')
  const outcome = await runScript(sandbox, {
    skill,
    script,
    args: args.args ?? [],
    files: await filesFor(options, args),
    grants: options.grants?.(skill.name) ?? {},
    signal: context.signal,
    onOutput: (piece) => tell(context, piece),
    ...(args.stdin === undefined ? {} : { input: args.stdin }),
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
  })
  if (outcome.end === 'canceled') throw context.signal.reason
  return result(options.artifacts, context, script, outcome)
}

/** As it is listed, by its bare name, or as bodies of skills tend to write it. */
function resolveScript(skill: ScriptSkill, wanted: string): string | undefined {
  const scripts = scriptsOf(skill)
  const bare = wanted.replace(/^(?:\.\/|\{baseDir\}\/|\$\{?(?:CLAUDE_)?SKILL_DIR\}?\/|\/skill\/)/, '')
  if (scripts.includes(bare)) return bare
  const sameName = scripts.filter((path) => path.endsWith(`/${bare}`))
  return sameName.length === 1 ? sameName[0] : undefined
}

function unknownScript(skill: ScriptSkill, wanted: string): SkillsError {
  const scripts = scriptsOf(skill)
  const those = scripts.length === 0 ? 'It has no scripts.' : `It has: ${scripts.slice(0, 30).join(', ')}.`
  return new SkillsError('script-unknown', `The skill ${skill.name} has no script ${JSON.stringify(wanted)}. ${those}`)
}

async function filesFor(
  { artifacts, readFile }: RunSkillScriptOptions,
  args: RunScriptArgs,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const [name, content] of Object.entries(args.files ?? {})) files.set(inside(name), Buffer.from(content))
  for (const [name, id] of Object.entries(args.artifacts ?? {}))
    files.set(inside(name), await artifacts.read(ArtifactId(id), 0, MOST_FILE_BYTES))
  for (const [name, path] of Object.entries(args.workspace ?? {})) {
    if (readFile === undefined) throw new SkillsError('skill-file-unknown', 'There is no workspace here.')
    files.set(inside(name), await readFile(path))
  }
  return files
}

/** A plain relative path: nothing is written anywhere but below the working folder. */
function inside(name: string): string {
  if (/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\0\\]{1,200}$/.test(name) && !name.includes('//')) return name
  throw new SkillsError('skill-file-unknown', `${JSON.stringify(name)} is no relative path within the working folder.`)
}

function tell(context: CallContext, { stream, text: said }: OutputPiece): void {
  const line = said.trimEnd().split('\n').at(-1) ?? ''
  if (line !== '') context.progress(stream === 'stderr' ? `stderr: ${line.slice(0, 200)}` : line.slice(0, 200))
}

async function result(
  artifacts: Artifacts,
  { runId }: CallContext,
  script: string,
  outcome: ScriptOutcome,
): Promise<HandResult> {
  const blocks: ArtifactBlock[] = []
  for (const { name, mediaType, bytes } of outcome.outputs.files)
    blocks.push({ kind: 'artifact', ...(await artifacts.put(bytes, { name, mediaType, runId })) })
  const { end, exitCode, signal, stdout, stderr, isolation, outputs } = outcome
  const said = [
    `${script} ${howItEnded(outcome)}.`,
    ...(stdout.text === '' ? [] : [`stdout:\n${shown(stdout)}`]),
    ...(stderr.text === '' ? [] : [`stderr:\n${shown(stderr)}`]),
    ...(blocks.length === 0
      ? []
      : [
          `Files: ${blocks.map(({ name, bytes, artifactId }) => `${name} (${bytes} bytes, ${artifactId})`).join(', ')}`,
        ]),
    ...(outputs.skipped.length === 0 ? [] : [`Not taken: ${outputs.skipped.join('; ')}`]),
  ]
  return {
    kind: 'result',
    content: [text(said.join('\n\n')), ...blocks],
    value: {
      end,
      exitCode,
      signal,
      stdout: stdout.text,
      stderr: stderr.text,
      files: blocks.map(({ name, artifactId, bytes, mediaType }) => ({ name, artifactId, bytes, mediaType })),
      isolation: { backend: isolation.backend, strength: isolation.strength },
    },
    ...(end === 'exited' && exitCode === 0 ? {} : { isError: true }),
  }
}

const END_WORDS: Readonly<Record<Exclude<ScriptOutcome['end'], 'exited'>, string>> = {
  'timed-out': 'was stopped: it took too long',
  canceled: 'was canceled',
  'disk-full': 'was stopped: it wrote more than it may',
  'output-full': 'was stopped: it printed more than it may',
}

function howItEnded({ end, exitCode, signal }: ScriptOutcome): string {
  if (end !== 'exited') return END_WORDS[end]
  return signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`
}

function shown({ text: whole, bytes, cut }: ScriptOutcome['stdout']): string {
  if (whole.length <= SHOWN && !cut) return whole.trimEnd()
  return `${whole.slice(0, SHOWN / 2)}\n[… ${bytes} bytes in all …]\n${whole.slice(-SHOWN / 2).trimEnd()}`
}
