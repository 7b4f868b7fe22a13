import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, extname, join } from 'node:path'
import { SkillsError } from '../errors.js'
import { NO_OVERHEAD, type RuntimeOverhead, V8_OVERHEAD } from '../sandbox/limits.js'

/** How a script is started. */
export type Interpreter = {
  readonly name: string
  /** The program and what stands before the script's path; empty for a script that is a program itself. */
  readonly command: readonly string[]
  /** What lies outside the system's own folders and has to be readable. */
  readonly runtime: readonly string[]
  readonly overhead: RuntimeOverhead
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.sh': 'bash',
  '.bash': 'bash',
  '.rb': 'ruby',
  '.pl': 'perl',
  '.php': 'php',
  '.lua': 'lua',
  '.r': 'Rscript',
}

/** Programs that a first line may name, and what runs the same files. */
const SAME_AS: Readonly<Record<string, string>> = { python: 'python3', nodejs: 'node', uv: 'python3', pipx: 'python3' }

const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin']

/**
 * By the first line, else by the extension, else none: a program that the kernel can start.
 * @throws SkillsError `script-interpreter-missing` that says what is missing
 */
export function interpreterOf(file: string): Interpreter {
  const head = headOf(file)
  const line = head.startsWith('#!') ? (head.slice(2).split('\n')[0] ?? '').trim() : ''
  const [named, options] = line === '' ? [undefined, []] : shebang(line)
  const wanted = named ?? BY_EXTENSION[extname(file).toLowerCase()]
  if (wanted === undefined) {
    if (head.startsWith('\u007fELF')) return { name: basename(file), command: [], runtime: [], overhead: NO_OVERHEAD }
    throw new SkillsError(
      'script-interpreter-missing',
      `${basename(file)} has neither a first line that names an interpreter (#!) nor an extension that one is known for (${Object.keys(BY_EXTENSION).join(', ')}).`,
    )
  }
  const name = SAME_AS[wanted] ?? wanted
  if (name === 'node')
    return { name, command: [process.execPath, ...options], runtime: nodeRuntime(), overhead: V8_OVERHEAD }
  const program = onSystem(name) ?? elsewhere(name)
  if (program === undefined)
    throw new SkillsError(
      'script-interpreter-missing',
      `${basename(file)} needs ${name}, which is not installed here. Install it, or do the step in another way.`,
    )
  return { name, command: [program.path, ...options], runtime: program.runtime, overhead: NO_OVERHEAD }
}

function headOf(file: string): string {
  const fd = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(512)
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, 512, 0))
  } finally {
    closeSync(fd)
  }
}

/** `#!/usr/bin/env -S uv run --script` asks for what `uv` would start; other options are kept. */
function shebang(line: string): readonly [string, readonly string[]] {
  const words = line.split(/\s+/)
  if (basename(words[0] ?? '') === 'env') {
    words.shift()
    while (words[0]?.startsWith('-') || words[0]?.includes('=')) words.shift()
  }
  const [program = '', ...options] = words
  const name = basename(program)
  if (name === 'uv' || name === 'pipx') return [name, []]
  return [/^python3?(\.\d+)?$/.test(name) ? 'python3' : name, options]
}

const nodeRuntime = (): readonly string[] => (process.execPath.startsWith('/usr/') ? [] : [process.execPath])

type Found = { readonly path: string; readonly runtime: readonly string[] }

function onSystem(name: string): Found | undefined {
  const path = SYSTEM.map((place) => join(place, name)).find((candidate) => existsSync(candidate))
  return path === undefined ? undefined : { path, runtime: [] }
}

/** An installation of the user's own: its whole prefix has to be readable. A launcher script of a version manager is none. */
function elsewhere(name: string): Found | undefined {
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(place, name)
    if (place === '' || !existsSync(candidate)) continue
    const path = realpathSync(candidate)
    if (headOf(path).startsWith('#!')) continue
    return { path, runtime: [dirname(dirname(path))] }
  }
  return undefined
}
