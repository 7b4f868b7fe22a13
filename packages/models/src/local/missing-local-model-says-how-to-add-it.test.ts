import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelEvent } from '@tenon/kernel'
import { userMessage } from '@tenon/kernel'
import { expect, test } from 'vitest'
import manifest from '../../local-runtime/package.json' with { type: 'json' }
import lock from '../../local-runtime/package-lock.json' with { type: 'json' }
import { RUNTIME_VERSION } from './install-runtime.js'
import { local } from './local.js'
import { promotePlatform } from './runtime-lock.js'

test('the answer of a model that is not installed says how to add it', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tenon-none-'))
  const request = { system: [], messages: [userMessage('Hi')], tools: [], toolChoice: 'auto', settings: {} } as const
  const events: ModelEvent[] = []
  for await (const event of local('qwen3-4b', { dataFolder }).generate(request, {
    signal: new AbortController().signal,
  }))
    events.push(event)
  await rm(dataFolder, { recursive: true })
  expect(events).toMatchObject([
    {
      kind: 'finished',
      finish: 'error',
      error: { code: 'local-model-unknown', message: expect.stringContaining('tenon models add qwen3-4b') },
    },
  ])
})

test.each([
  ['linux', 'x64', 'linux-x64'],
  ['linux', 'arm64', 'linux-arm64'],
  ['darwin', 'arm64', 'mac-arm64-metal'],
  ['darwin', 'x64', 'mac-x64'],
  ['win32', 'x64', 'win-x64'],
  ['win32', 'arm64', 'win-arm64'],
])('on %s %s the one package %s is required, at the locked version', (os, cpu, name) => {
  const promoted = promotePlatform(manifest, lock, { os, cpu })
  const full = `@node-llama-cpp/${name}`
  expect(promoted.manifest.dependencies).toEqual({ 'node-llama-cpp': RUNTIME_VERSION, [full]: RUNTIME_VERSION })
  const platforms = Object.entries(promoted.lock.packages).filter(([key]) => key.includes('/@node-llama-cpp/'))
  const required = platforms.filter(([, locked]) => locked.optional !== true).map(([key]) => key)
  expect(required).toEqual([`node_modules/${full}`])
})

test('a platform without binaries is told by name', () => {
  expect(() => promotePlatform(manifest, lock, { os: 'aix', cpu: 'ppc64' })).toThrow(/aix on ppc64/)
})

test('every locked package has a digest', () => {
  const packages = Object.entries(lock.packages).filter(([key]) => key !== '')
  expect(packages.filter(([, locked]) => !('integrity' in locked))).toEqual([])
})
