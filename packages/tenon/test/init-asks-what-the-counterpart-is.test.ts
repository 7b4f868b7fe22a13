import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { terminal } from './kit/terminal.js'
import { place } from './tenon-process.js'

test('at a terminal an answer and a name make the joint', async () => {
  const here = place()
  const person = terminal(here, ['init'])
  await person.shows('1 to 4')
  person.type('2\r')
  await person.shows('Its name (orders)')
  person.type('crm\r')
  const { code, screen } = await person.ended
  expect(code, screen).toBe(0)
  expect(existsSync(join(here.folder, 'servers', 'crm', 'server.mjs'))).toBe(true)
  expect(readFileSync(join(here.folder, 'tenon.yaml'), 'utf8')).toContain('    crm:\n      command: node\n')
})

test('at a terminal nothing typed means nothing but the configuration', async () => {
  const here = place()
  const person = terminal(here, ['init'])
  await person.shows('1 to 4')
  person.type('\r')
  expect((await person.ended).code).toBe(0)
  expect(existsSync(join(here.folder, 'tenon.yaml'))).toBe(true)
  expect(existsSync(join(here.folder, 'test'))).toBe(false)
})
