import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scaffold } from '../scaffold/scaffold.js'
import { loadConfig } from './load-config.js'
import { readSmallFile } from './read-text-file.js'

let folder: string
const known = { tools: [], providers: [], keyed: [] }
const load = (file?: string) =>
  loadConfig({ cwd: folder, known, environment: { XDG_CONFIG_HOME: folder }, ...(file === undefined ? {} : { file }) })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-pipe-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

// Each of these waited for ever: nobody writes to the pipe.
test.skipIf(process.platform === 'win32')('a tenon.yaml that is a named pipe is refused at once', () => {
  execFileSync('mkfifo', [join(folder, 'tenon.yaml')])
  const refusal = expect.objectContaining({
    code: 'file-unreadable',
    message: expect.stringMatching(/tenon\.yaml is a named pipe; only a regular file is read\.$/),
  })
  expect(() => load()).toThrow(refusal)
  expect(() => load('tenon.yaml')).toThrow(refusal)
  expect(() => scaffold({ joint: 'tool', name: 'weather', folder })).toThrow(refusal)
})

test.skipIf(process.platform === 'win32')('a device, a socket and a folder are refused by their kind', async () => {
  expect(() => load('/dev/zero')).toThrow('/dev/zero is a device; only a regular file is read.')
  expect(() => load('.')).toThrow(`${folder} is a folder; only a regular file is read.`)
  const server = createServer()
  await new Promise<void>((listens) => server.listen(join(folder, 'socket'), listens))
  try {
    expect(() => load('socket')).toThrow(/socket is a socket; only a regular file is read\.$/)
  } finally {
    server.close()
  }
})

test('bytes are given as they are', () => {
  const file = import.meta.filename
  expect(readSmallFile(file, 100_000)).toEqual(readFileSync(file))
})
