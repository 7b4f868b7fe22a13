import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isHolderDead, processHolder } from './process-holder.js'

const [scheme, host, , began] = processHolder().split(':')

test('a process that runs is not dead, whatever a store adds to its name', () => {
  expect(isHolderDead(processHolder())).toBe(false)
  expect(isHolderDead(`${processHolder()}/01m8`)).toBe(false)
})

test('a process that has ended is dead', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  expect(isHolderDead([scheme, host, pid, ''].join(':'))).toBe(true)
})

test('a process that got the number of one that has ended is not taken for it', () => {
  const earlier = [scheme, host, process.pid, '1'].join(':')
  // Where the system does not tell when a process began, the lease has to end by itself.
  expect(isHolderDead(earlier)).toBe(began !== '')
})

test.each([
  ['another machine', [scheme, 'elsewhere', 999_999_999, ''].join(':')],
  ['a name of somebody’s own', 'worker-7'],
  ['nothing', ''],
  ['a number that is none', [scheme, host, 'x', ''].join(':')],
  ['a group of processes', [scheme, host, -1, ''].join(':')],
])('%s is never taken for dead', (_what, holder) => {
  expect(isHolderDead(holder)).toBe(false)
})
