import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const here = import.meta.dirname
const root = join(here, '..', '..')
const COMMAND = join(root, 'packages', 'tenon', 'dist', 'bin', 'tenon.js')

export const GOAL = 'Write a competitor report on Meridian Kinetics that follows our compliance rules.'
export const SCOPE = 'China and the EU, since 2025-01-01'

export type Ended = { readonly code: number; readonly out: string; readonly log: string }

/** The research desk of a place, as its own team would run it. */
export type Desk = { readonly url: string; kill(): Promise<void>; close(): Promise<void> }

/** A copy of the example, of a user who has neither keys nor a configuration of their own. */
export type ExamplePlace = {
  /** The analyst's project. */
  readonly folder: string
  change(file: string, edit: (text: string) => string): void
  read(file: string): string
  has(file: string): boolean
  startDesk(): Promise<Desk>
  /** Runs the command in the analyst's project, with the desk at `url`. */
  tenon(args: readonly string[], url: string): Promise<Ended>
  /** The goal from beginning to end: the desk's question is answered, and consent given or not. `options` are the first command's. */
  pursue(url: string, consent?: '--yes' | '--deny', options?: readonly string[]): Promise<Ended>
  remove(): void
}

type LaidOut = {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  remove(): void
}

export async function examplePlace(): Promise<ExamplePlace> {
  const script = pathToFileURL(join(here, 'lay-out.mjs')).href
  const { layOut }: { layOut(command: string): LaidOut } = await import(script)
  const { folder, environment, remove } = layOut(COMMAND)
  const tenon: ExamplePlace['tenon'] = (args, url) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [COMMAND, ...args], {
        cwd: folder,
        env: { ...environment, RESEARCH_URL: url },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let out = ''
      let log = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
      child.on('error', reject)
      child.on('close', (code) => resolve({ code: code ?? 1, out, log }))
    })
  return {
    folder,
    tenon,
    change: (file, edit) => writeFileSync(join(folder, file), edit(readFileSync(join(folder, file), 'utf8'))),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    has: (file) => existsSync(join(folder, file)),
    async startDesk() {
      const { startResearch }: { startResearch(options: { env: NodeJS.ProcessEnv }): Promise<Desk> } = await import(
        pathToFileURL(join(folder, 'research', 'start.mjs')).href
      )
      return startResearch({ env: environment })
    },
    async pursue(url, consent = '--yes', options = []) {
      const begun = await tenon(['run', GOAL, '--rehearsal', 'rehearsal.yaml', consent, ...options], url)
      if (begun.code !== 3) return begun
      await tenon(['runs', 'answer', 'last', '--leave', '--text', SCOPE], url)
      return tenon(['runs', 'resume', 'last', consent], url)
    },
    remove,
  }
}
