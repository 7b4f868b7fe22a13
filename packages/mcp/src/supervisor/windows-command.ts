import { existsSync } from 'node:fs'
import { delimiter, extname, isAbsolute, join } from 'node:path'

export type SpawnPlan = {
  readonly file: string
  readonly args: readonly string[]
  readonly verbatim: boolean
}

/**
 * How to start a command on Windows, where `npx` is `npx.cmd` and only `cmd.exe` may run that: a batch file goes
 * through `cmd.exe /d /s /c` with every argument quoted twice, once for the program and once for the shell.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  exists: (path: string) => boolean = existsSync,
): SpawnPlan {
  const found = findCommand(command, env, exists) ?? command
  if (!/\.(?:cmd|bat)$/i.test(found)) return { file: found, args, verbatim: false }
  const line = [quoteForShell(found), ...args.map((arg) => escapeForShell(quoteForProgram(arg)))].join(' ')
  return { file: env.COMSPEC ?? env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}

function findCommand(
  command: string,
  env: Readonly<Record<string, string>>,
  exists: (path: string) => boolean,
): string | undefined {
  const endings = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '')
  const names = extname(command) === '' ? endings.map((ending) => command + ending.toLowerCase()) : [command]
  const hasFolder = isAbsolute(command) || /[\\/]/.test(command)
  const path = env.PATH ?? env.Path ?? ''
  const folders = hasFolder ? [''] : path.split(delimiter).filter((folder) => folder !== '')
  for (const folder of folders)
    for (const name of names) {
      const candidate = folder === '' ? name : join(folder, name)
      if (exists(candidate)) return candidate
    }
  return undefined
}

/** As the C runtime of a program takes its command line apart. */
function quoteForProgram(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}

const META = /[()%!^"<>&|;, \t*?`]/g
const quoteForShell = (path: string): string => path.replace(META, '^$&')
/** Batch files of npm read their arguments through a second `cmd`. */
const escapeForShell = (quoted: string): string => quoted.replace(META, '^$&').replace(META, '^$&')
