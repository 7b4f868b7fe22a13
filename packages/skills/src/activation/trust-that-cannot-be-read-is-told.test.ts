import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../test/support/skill-host.js'
import { trustFile } from './skill-trust.js'

test('a record that cannot be read trusts nothing, says so, and is not overwritten', () => {
  const path = join(folderOf({ 'trusted.json': 'rubbish' }), 'trusted.json')
  const trust = trustFile(path)
  expect(trust.isTrusted('sha256:a')).toBe(false)
  expect(trust.problem()).toContain(path)
  const unreadable = expect.objectContaining({ code: 'skill-trust-unreadable' })
  expect(() => trust.trust('sha256:a', 'review')).toThrow(unreadable)
  expect(() => trust.distrust('review')).toThrow(unreadable)
  expect(readFileSync(path, 'utf8')).toBe('rubbish')
})

test('of a name the last one trusted counts, also where somebody went back to it; its digest takes it back too', () => {
  const trust = trustFile(join(folderOf({}), 'trusted.json'))
  expect(trust.problem()).toBeUndefined()
  for (const digest of ['sha256:a', 'sha256:b', 'sha256:a']) trust.trust(digest, 'review')
  expect(trust.trustedBefore('review')).toBe('sha256:a')
  trust.trust('sha256:c', 'other')
  expect(trust.distrust('folder-name', 'sha256:c')).toBe(true)
  expect(trust.isTrusted('sha256:c')).toBe(false)
})
