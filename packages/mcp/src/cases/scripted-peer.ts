import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { JsonObject } from '@tenon/kernel'
import type { UpstreamTarget } from '../upstream/upstream.js'
import type { CaseTools } from './case-tools.js'

/** A server that does what a scenario says. Over stdio the host starts it itself. */
export type ScriptedPeer = {
  readonly target: UpstreamTarget
  /** What the peer wrote down so far. */
  log(): readonly JsonObject[]
  stop(): Promise<void>
}

export type PeerOptions = {
  readonly scenario: string
  readonly logFile: string
  readonly transport: 'stdio' | 'http' | 'sse'
  readonly part?: string
  readonly token?: string
}

export async function startPeer(tools: CaseTools, options: PeerOptions): Promise<ScriptedPeer> {
  const { scenario, logFile, transport, part, token } = options
  const args = [tools.peer, scenario, '--log', logFile, ...(part === undefined ? [] : ['--part', part])]
  const log = (): readonly JsonObject[] => readLog(logFile)
  if (transport === 'stdio')
    return { target: { kind: 'stdio', command: process.execPath, args }, log, stop: async () => {} }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await addressOf(child)
  const headers = token === undefined ? {} : { headers: () => ({ authorization: `Bearer ${token}` }) }
  return {
    target: { kind: 'http', url, ...headers },
    log,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data: Buffer) => resolve((JSON.parse(data.toString('utf8')) as { url: string }).url))
    child.once('exit', (code) => reject(new Error(`the peer ended at its start with ${code}`)))
  })
}

function readLog(file: string): readonly JsonObject[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JsonObject)
}
