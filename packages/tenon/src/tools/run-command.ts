import { type CallContext, type HandResult, type JsonObject, type Tool, text } from '@tenon/kernel'
import {
  type CapturedOutput,
  chooseSandbox,
  mountedWorkspace,
  SANDBOX_LIMITS,
  type SandboxPolicy,
  type SandboxResult,
  stageFolder,
  V8_OVERHEAD,
} from '@tenon/skills'
import { deferredSchema } from '../schema/to-schema.js'

export type RunCommandOptions = {
  readonly workspace: string
  /** What a command may do to the workspace. */
  readonly access: 'read' | 'write'
  readonly sandbox: SandboxPolicy
  /** Variables that every command has; asked for at each call. */
  readonly env?: () => Readonly<Record<string, string>>
  /** Milliseconds that a command may take. */
  readonly timeMs?: number
  /** Bytes. */
  readonly memory?: number
}

const MB = 1024 * 1024
const TIME_MS = 120_000
/** More than a script gets: compilers and test runners are what people start here. */
const MEMORY = 2 * 1024 * MB

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    command: { type: 'string', minLength: 1, description: 'A command line for bash.' },
    stdin: { type: 'string', description: 'Text for its standard input.' },
  },
  required: ['command'],
  additionalProperties: false,
})

/** Runs a command line in the sandbox, with the workspace as its folder and without network. */
export function runCommandTool(options: RunCommandOptions): Tool {
  const writes = options.access === 'write'
  return Object.freeze({
    name: 'run_command',
    title: 'Run a command',
    description: `Runs a command line with bash in a sandbox: no network, the workspace ${
      writes ? 'as its folder' : 'as its folder, which it can only read'
    }; $HOME and $TMPDIR are writable and gone afterwards.`,
    input: INPUT,
    effect: writes ? 'once' : 'idempotent',
    origin: { kind: 'function', name: 'builtin' },
    concurrency: writes ? 1 : 4,
    run: (args: JsonObject, context: CallContext) => run(options, args as Args, context),
  } satisfies Tool)
}

type Args = { readonly command: string; readonly stdin?: string }

async function run(options: RunCommandOptions, { command, stdin }: Args, context: CallContext): Promise<HandResult> {
  const sandbox = await chooseSandbox(options.sandbox)
  const stage = stageFolder('home')
  try {
    const result = await sandbox.run({
      folders: {
        home: { path: stage.at('home'), access: 'write', staged: true },
        workspace: mountedWorkspace(options.workspace, options.access),
      },
      home: 'home',
      launch: (at) => ({
        command: ['bash', '-c', command],
        cwd: at('workspace'),
        env: { TMPDIR: at('home'), ...options.env?.() },
      }),
      limits: {
        ...SANDBOX_LIMITS,
        wallMs: options.timeMs ?? TIME_MS,
        cpuSeconds: Math.ceil((options.timeMs ?? TIME_MS) / 500),
        memory: options.memory ?? MEMORY,
        // Any of them may be on V8, or on the JVM, which takes no more.
        overhead: V8_OVERHEAD,
        processes: 512,
        openFiles: 1024,
        fileSize: 1024 * MB,
      },
      signal: context.signal,
      onOutput: (piece) => {
        const line = piece.text.trimEnd().split('\n').at(-1) ?? ''
        if (line !== '') context.progress(line.slice(0, 200))
      },
      ...(stdin === undefined ? {} : { input: stdin }),
    })
    if (result.end === 'canceled') throw context.signal.reason
    return observation(result)
  } finally {
    stage.remove()
  }
}

function observation(result: SandboxResult): HandResult {
  const { end, exitCode, signal, stdout, stderr, isolation } = result
  const ended =
    end !== 'exited'
      ? `It was stopped: ${end}.`
      : signal === null
        ? `It ended with exit code ${exitCode}.`
        : `It was ended by ${signal}.`
  const said = [...shown('stdout', stdout), ...shown('stderr', stderr), ended]
  return {
    kind: 'result',
    content: [text(said.join('\n\n'))],
    value: {
      end,
      exitCode,
      signal,
      stdout: stdout.text,
      stderr: stderr.text,
      isolation: { backend: isolation.backend, strength: isolation.strength },
    },
    ...(end === 'exited' && exitCode === 0 ? {} : { isError: true }),
  }
}

/** Whole: what is too long for the view is cut where all outputs are. */
const shown = (name: string, { text: said, bytes, cut }: CapturedOutput): readonly string[] =>
  said === '' ? [] : [`${name}:\n${said.trimEnd()}${cut ? `\n[cut: ${bytes} bytes in all]` : ''}`]
