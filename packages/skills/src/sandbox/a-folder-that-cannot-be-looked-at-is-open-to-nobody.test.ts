import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { folderOf } from '../../test/support/skill-host.js'
import { ownUser } from './run-user.js'

needs('root', () => process.getuid?.() === 0)

test('a folder behind a link in a circle, or behind a file, takes the job’s own user away and throws nothing', () => {
  const folder = folderOf({ 'file.txt': 'x' })
  symlinkSync('circle', join(folder, 'circle'))
  for (const path of ['circle', 'circle/inside', 'file.txt/inside'].map((name) => join(folder, name)))
    expect(ownUser([{ path, access: 'read', staged: false }])).toBeUndefined()
})
