import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { ModelsError } from '../errors.js'
import { runtimesFolder } from './data-folder.js'
import type { SetupOptions } from './progress.js'
import { promotePlatform, type RuntimeLock, type RuntimeManifest } from './runtime-lock.js'

/** The one version that this code was written and tested against. */
export const RUNTIME_VERSION = '3.21.1'

/** The folder of the installed runtime, or undefined. */
export function findRuntime(dataFolder: string): string | undefined {
  const folder = runtimeFolder(dataFolder)
  return existsSync(join(folder, 'node_modules', 'node-llama-cpp', 'package.json')) ? folder : undefined
}

const runtimeFolder = (dataFolder: string): string =>
  join(runtimesFolder(dataFolder), `node-llama-cpp-${RUNTIME_VERSION}`)

/**
 * Sets up the runtime for local models in the data folder, from the lock file that this package carries: the library,
 * the one platform package of this machine, no install scripts. About 83 MB. Does nothing when it is there.
 *
 * @throws ModelsError `local-runtime-failed` with what to do.
 */
export async function installRuntime(dataFolder: string, options: SetupOptions = {}): Promise<string> {
  const present = findRuntime(dataFolder)
  if (present !== undefined) return present
  const target = runtimeFolder(dataFolder)
  const staging = join(runtimesFolder(dataFolder), `.installing-${randomUUID()}`)
  await mkdir(staging, { recursive: true })
  try {
    options.onProgress?.({ step: 'runtime', message: `setting up node-llama-cpp ${RUNTIME_VERSION} (about 83 MB)` })
    const { manifest, lock } = await committedLock()
    const promoted = promotePlatform(manifest, lock, { os: process.platform, cpu: process.arch })
    await writeFile(join(staging, 'package.json'), JSON.stringify(promoted.manifest))
    await writeFile(join(staging, 'package-lock.json'), JSON.stringify(promoted.lock))
    await npmCi(staging, options.signal)
    await rename(staging, target).catch((cause: unknown) => {
      // Another process was faster: what it installed is the same.
      if (findRuntime(dataFolder) === undefined) throw cause
    })
    return target
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Found through the package, so that it is also found from a bundle. */
async function committedLock(): Promise<{ readonly manifest: RuntimeManifest; readonly lock: RuntimeLock }> {
  const resolve = createRequire(import.meta.url).resolve
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(resolve(`@tenon/models/local-runtime/${file}`), 'utf8'))
  return {
    manifest: (await read('package.json')) as RuntimeManifest,
    lock: (await read('package-lock.json')) as RuntimeLock,
  }
}

async function npmCi(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const npm = await findNpm()
  const args = [npm, 'ci', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    })
    let stderr = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      stderr = (stderr + text).slice(-4096)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve()
      const said = /npm error code (\S+)/.exec(stderr)?.[1] ?? `exit code ${code}`
      reject(
        new ModelsError(
          'local-runtime-failed',
          `npm could not set up the local runtime (${said}). Check the network and try again.`,
        ),
      )
    })
  })
}

/** npm's own script, run by this Node: no shell, and the same on every platform. */
async function findNpm(): Promise<string> {
  const beside = dirname(process.execPath)
  const places = [
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const found = places.find(existsSync)
  if (found !== undefined) return found
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const linked = await realpath(join(folder, 'npm')).catch(() => '')
    if (linked.endsWith('npm-cli.js')) return linked
    const onWindows = join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')
    if (existsSync(onWindows)) return onWindows
  }
  throw new ModelsError('local-runtime-failed', 'npm was not found. It comes with Node; put it on the PATH.')
}
