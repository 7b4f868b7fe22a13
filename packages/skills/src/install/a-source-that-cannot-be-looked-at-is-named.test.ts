import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../test/support/skill-host.js'
import { parseSource } from './install-source.js'

const unreadable = (why: RegExp) =>
  expect.objectContaining({ code: 'skill-source-unreadable', message: expect.stringMatching(why) })

test('a path that leads through a file is a path to nothing', () => {
  const cwd = folderOf({ 'a.zip': 'x' })
  expect(() => parseSource('a.zip/skill', cwd)).toThrow(unreadable(/^a\.zip\/skill: There is no such file or folder\./))
  expect(() => parseSource('absent', cwd)).toThrow(unreadable(/There is no such file or folder\./))
})

test.skipIf(process.platform === 'win32')('a link in a circle and a name that is too long say so', () => {
  const cwd = folderOf({})
  symlinkSync('circle', join(cwd, 'circle'))
  expect(() => parseSource('circle', cwd)).toThrow(unreadable(/^circle: It is a link that leads in a circle\.$/))
  expect(() => parseSource('x'.repeat(300), cwd)).toThrow(unreadable(/does not let it be looked at \(ENAMETOOLONG\)/))
})

test.skipIf(process.platform === 'win32')('a named pipe is no archive that one waits for', () => {
  const cwd = folderOf({})
  execFileSync('mkfifo', [join(cwd, 'skill.tar')])
  expect(() => parseSource('skill.tar', cwd)).toThrow(
    unreadable(/It is a pipe, a socket or a device, and no archive\.$/),
  )
})
