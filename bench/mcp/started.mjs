import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * A script of this folder in a process of its own, once it has printed its address.
 *
 * @param {string} script @param {readonly string[]} args
 */
export async function started(script, args = []) {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = fork(path, [...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  // Whatever ends the bench ends what it started.
  const end = () => void child.kill()
  process.once('exit', end)
  /** @type {any} */
  const said = await new Promise((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve(JSON.parse(String(data))))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  const stop = () =>
    new Promise((gone) => {
      process.off('exit', end)
      child.once('exit', gone)
      child.kill()
    })
  return { child, said, stop }
}

/** The path of a script of this folder. @param {string} script */
export const scriptPath = (script) => fileURLToPath(new URL(script, import.meta.url))
