import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { StockServer } from './stock-servers.js'

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** A virtual environment that CI makes; `TENON_A2A_PYTHON` names another one. */
const USUAL = pathOf('../../../../node_modules/.cache/a2a-python/bin/python')
const PYTHON = process.env.TENON_A2A_PYTHON ?? (existsSync(USUAL) ? USUAL : 'python3')

export const PYTHON_SDK = 'the Python package a2a-sdk'

export const hasPythonSdk = (): boolean =>
  spawnSync(PYTHON, ['-c', 'import a2a, grpc, starlette, uvicorn'], { timeout: 30_000 }).status === 0

export type PythonBinding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC'

export async function pythonServer(binding: PythonBinding, version: '1.0' | '0.3'): Promise<StockServer> {
  const child = spawn(PYTHON, [pathOf('../python/stock_agent.py'), binding, version], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const [origin] = await Promise.race([
    new Promise<[string]>((resolve) => createInterface(child.stdout).once('line', (line) => resolve([line]))),
    ended.then(() => Promise.reject(new Error('the Python agent ended before it listened'))),
  ])
  return {
    url: `${origin}/.well-known/agent-card.json`,
    host: '127.0.0.1',
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** What the official client saw of a server, one object a step. */
export async function pythonClient(url: string, binding: PythonBinding): Promise<readonly unknown[]> {
  const child = spawn(PYTHON, [pathOf('../python/stock_client.py'), url, binding], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    err += text.toString()
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the Python client ended with ${code}:\n${err.slice(-2_000)}`)
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
