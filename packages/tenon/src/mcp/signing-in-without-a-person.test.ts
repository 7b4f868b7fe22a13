import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { McpServerSettings } from '../config/config-table.js'
import { authOfServer } from './auth-of-server.js'

const url = 'https://example.com/mcp'
const authOf = (oauth: NonNullable<McpServerSettings['oauth']>) => authOfServer('far', { url, oauth }, {})
const asked = { authorizationServer: 'https://auth.example.com', resource: url }

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-statement-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'token')
  writeFileSync(path, text)
  return path
}

test('what the platform says is read anew for each token', () => {
  const assertionFile = file('first\n')
  const auth = authOf({ grant: 'workload', assertionFile })
  expect([auth?.grant, auth?.assertion?.(asked)]).toEqual(['assertion', 'first'])
  writeFileSync(assertionFile, 'second\n')
  expect(auth?.assertion?.(asked)).toBe('second')
})

test('a statement that is not there is named by its place in the configuration, not by its path', () => {
  const auth = authOf({ grant: 'workload', assertionFile: '/nowhere/token' })
  const reading = (): unknown => auth?.assertion?.(asked)
  expect(reading).toThrow('mcp.servers.far.oauth.assertionFile')
  expect(reading).not.toThrow('/nowhere')
})

test.each([
  ['assertionFile', { grant: 'workload' }],
  ['assertionFile', { grant: 'enterprise' }],
  ['identityProvider', { grant: 'enterprise', assertionFile: 'token' }],
] as const)('without %s the configuration says what is missing: %j', (missing, oauth) => {
  expect(() => authOf(oauth)).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(missing) }),
  )
})

test('nothing of it is asked for where a person signs in or the client stands for itself', () => {
  expect(authOf({ grant: 'person' })?.grant).toBe('person')
  expect(authOf({ grant: 'client-credentials' })?.assertion).toBeUndefined()
})
