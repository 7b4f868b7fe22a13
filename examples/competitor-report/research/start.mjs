// Starts the research desk as a process of its own, as its team would: `tenon serve` in this folder.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const here = import.meta.dirname
const ours = join(here, '..', '..', '..', 'packages', 'tenon', 'bin', 'tenon.js')

/**
 * @param {{ port?: string, model?: string, env?: NodeJS.ProcessEnv }} [options] `port`: the one that it had before; absent, a free one
 * @returns {Promise<{ url: string, pid: number, kill(): Promise<void>, close(): Promise<void> }>} `kill` is SIGKILL
 */
export async function startResearch({ port = '0', model, env = process.env } = {}) {
  const mind = ['--rehearsal', 'rehearsal.yaml', ...(model === undefined ? [] : ['--model', model])]
  const child = spawn(process.execPath, [env.TENON_COMMAND ?? ours, 'serve', '--port', port, ...mind], {
    cwd: here,
    env: { ...env, TENON_STORE: join(here, '.tenon') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-4_000)
  })
  const closed = new Promise((resolve) => child.on('close', resolve))
  const [line] = await Promise.race([
    new Promise((resolve) => createInterface(child.stdout).once('line', (text) => resolve([text]))),
    closed.then(() => []),
  ])
  if (line === undefined) throw new Error(`The research desk did not start:\n${said}`)
  const end = (signal) => async () => {
    child.kill(signal)
    await closed
  }
  return { url: JSON.parse(line).url, pid: child.pid ?? 0, kill: end('SIGKILL'), close: end('SIGTERM') }
}
