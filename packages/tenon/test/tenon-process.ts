import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The compiled command. */
export const COMMAND = fileURLToPath(new URL('../dist/bin/tenon.js', import.meta.url))

/** A folder of a user who has nothing but what a test puts there. */
export type Place = {
  readonly folder: string
  readonly store: string
  /** Built from nothing, so that neither keys nor configuration of whoever tests play a part. */
  readonly environment: Readonly<Record<string, string>>
  write(name: string, text: string): string
  /** Runs the command to its end. */
  tenon(
    args: readonly string[],
    more?: { readonly stdin?: string; readonly env?: Record<string, string> },
  ): Promise<Ended>
  /** Starts the command and lets it go on. */
  start(args: readonly string[], env?: Record<string, string>): Running
}

export type Ended = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export type Running = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Waits until this was printed on either stream. */
  printed(text: string): Promise<void>
}

export function place(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const home = join(folder, 'home')
  mkdirSync(home)
  const work = join(folder, 'work')
  mkdirSync(work)
  const store = join(folder, 'store')
  const base = {
    PATH: process.env.PATH ?? '',
    SystemRoot: process.env.SystemRoot ?? '',
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    APPDATA: join(home, 'config'),
    LOCALAPPDATA: join(home, 'data'),
    TENON_STORE: store,
  }
  const start: Place['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd: work, env: { ...base, ...env } })
    let stdout = ''
    let stderr = ''
    const watchers = new Set<() => void>()
    const heard = (): void => {
      for (const watcher of watchers) watcher()
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      heard()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      heard()
    })
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code, signal) => {
        resolve({ code, signal, stdout, stderr })
        heard()
      })
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return {
      child,
      ended,
      printed: (text) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            if (stdout.includes(text) || stderr.includes(text)) resolve()
            else if (child.exitCode !== null || child.signalCode !== null)
              reject(new Error(`ended without printing ${JSON.stringify(text)}:\n${stdout}\n${stderr}`))
            else return
            watchers.delete(look)
          }
          watchers.add(look)
          look()
        }),
    }
  }
  return {
    folder: work,
    store,
    environment: base,
    start,
    write(name, text) {
      const file = join(work, name)
      writeFileSync(file, text)
      return file
    },
    tenon(args, { stdin = '', env = {} } = {}) {
      const running = start(args, env)
      running.child.stdin?.end(stdin)
      return running.ended
    },
  }
}

/** Looks around, writes a file, which asks, and says that it is done. */
export const WRITING = `rehearsal: writing
scenes:
  - name: look
    when: { turns: 0 }
    say: { text: I will look first., calls: [{ tool: list_files, args: { path: . } }] }
  - name: write
    when: { turns: 1 }
    say: { calls: [{ tool: write_file, args: { path: out.md, content: hello } }] }
  - name: written
    when: { turns: 2, results: [{ error: false }] }
    say: { text: It is written. }
  - name: refused
    when: { turns: 2, results: [{ error: true }] }
    say: { text: I was not allowed to. }
`

/** The events of \`--json\`. */
export const eventsOf = (stdout: string): { seq: number; kind: string; runId: string; [key: string]: unknown }[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
