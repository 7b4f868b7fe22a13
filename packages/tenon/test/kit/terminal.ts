import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { COMMAND, type Place } from '../tenon-process.js'

// util-linux gives a program a real terminal; other systems' `script` takes other arguments.
needs(
  'script of util-linux',
  () => spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true,
)

export type Terminal = {
  type(keys: string): void
  /** Waits until this was shown after what was waited for before. */
  shows(text: string): Promise<void>
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>
}

/** The command at a real terminal. */
export function terminal(here: Place, args: readonly string[]): Terminal {
  const command = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(' ')
  const child: ChildProcess = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: here.folder,
    env: { ...here.environment, TERM: 'xterm', SHELL: '/bin/sh' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let screen = ''
  let seen = 0
  const watchers = new Set<() => void>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    for (const watcher of watchers) watcher()
  })
  const ended = new Promise<{ code: number | null; screen: string }>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, screen })
      for (const watcher of watchers) watcher()
    })
  })
  return {
    ended,
    type: (keys) => void child.stdin?.write(keys),
    shows: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = screen.indexOf(text, seen)
          if (found === -1 && child.exitCode === null) return
          watchers.delete(look)
          seen = found + text.length
          if (found === -1) reject(new Error(`${JSON.stringify(text)} was never shown:\n${screen}`))
          else resolve()
        }
        watchers.add(look)
        look()
      }),
  }
}
