import { closeSync, openSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { bubblewrap } from './bubblewrap.js'
import { confiningSandbox } from './confining-sandbox.js'
import { controlGroup } from './control-group.js'
import { landlock } from './landlock.js'
import { LAUNCHER_FAILED, LAUNCHER_SAYS, NOT_IN_GROUP } from './launcher-failure.js'
import { SANDBOX_LIMITS } from './limits.js'
import { type ConfinedStart, runConfined } from './run-confined.js'
import type { SandboxJob } from './sandbox.js'
import { killGroup } from './signal-group.js'
import { stageFolder } from './stage-folder.js'
import { startAfterMove } from './start-in-group.js'

needs('Linux', () => process.platform === 'linux')

function jobOf(...command: readonly [string, ...string[]]): SandboxJob {
  const stage = stageFolder('work')
  onTestFinished(() => stage.remove())
  return {
    folders: { work: { path: stage.at('work'), access: 'write', staged: true } },
    home: 'work',
    launch: (at) => ({ command, cwd: at('work') }),
    limits: SANDBOX_LIMITS,
  }
}

const startOf = (file: string, ...args: readonly string[]): ConfinedStart => ({
  file,
  args,
  env: {},
  kill: killGroup,
  startFailure: () => undefined,
})

/** A device in place of a group's file: `/dev/full` takes no process, and `/dev/null` any. */
function door(device: string): number {
  const file = openSync(device, 'w')
  onTestFinished(() => closeSync(file))
  return file
}

/** What stands open in a shell, of the first ten. */
const OPEN_FILES = 'for fd in 0 1 2 3 4 5 6 7 8 9; do (: <&$fd) 2>/dev/null && echo $fd; done; exit 0'

test('nothing is run when a group does not take the process', async () => {
  let printed = ''
  const job: SandboxJob = {
    ...jobOf('unused'),
    onOutput({ stream, text }) {
      if (stream === 'stdout') printed += text
    },
  }
  for (const doors of [[door('/dev/full')], [door('/dev/null'), door('/dev/full')]])
    await expect(runConfined(startAfterMove(startOf('/bin/echo', 'ran'), doors), job)).rejects.toMatchObject({
      code: 'sandbox-failed',
      message: expect.stringContaining('could not join its control group'),
    })
  expect(printed).toBe('')
})

test('what is run then has its arguments as they were, and not the files of the group', async () => {
  const doors = [door('/dev/null'), door('/dev/null')]
  const start = startOf('/bin/sh', '-c', `printf '%s\\n' "$@"; ${OPEN_FILES}`, 'sh', 'a b', '', '$HOME "')
  const { stdout } = await runConfined(startAfterMove(start, doors), jobOf('unused'))
  expect(stdout.text).toBe('a b\n\n$HOME "\n0\n1\n2\n')
})

test.each([bubblewrap(), landlock()])('$name: a job has no open files but its three streams', async (sandbox) => {
  const { stdout } = await sandbox.run(jobOf('sh', '-c', OPEN_FILES))
  expect(stdout.text).toBe('0\n1\n2\n')
})

test('a job that says that it was not taken loosens nothing for the next one', async () => {
  const sandbox = bubblewrap()
  const before = await sandbox.run(jobOf('true'))
  const lie = `echo '${LAUNCHER_SAYS}${NOT_IN_GROUP}' >&2; exit ${LAUNCHER_FAILED}`
  await sandbox.run(jobOf('sh', '-c', lie)).catch(() => {})
  expect((await sandbox.run(jobOf('true'))).isolation.limits).toEqual(before.isolation.limits)
})

// The last one: from there on this process does without.
test('where groups take nobody, a sandbox is used without them and says so', async () => {
  const sandbox = confiningSandbox({
    name: 'closed',
    runs: 'any program',
    remedy: '',
    missing: () => undefined,
    network: 'closed',
    prepare({ launch, folders, limits }) {
      const [file, ...args] = launch((name) => folders[name]?.path ?? name).command
      const made = controlGroup(limits)
      const group = made && { ...made, around: (start: ConfinedStart) => startAfterMove(start, [door('/dev/full')]) }
      return {
        start: { ...startOf(file, ...args), cwd: folders.work?.path ?? '/' },
        group,
        user: 'root',
        limits: {
          memory: group === undefined ? 'none' : 'whole job',
          processes: 'none',
          cpu: 'none',
          fileSize: 'none',
          disk: 'none',
        },
        notes: [],
      }
    },
  })
  expect(await sandbox.probe()).toMatchObject({ usable: true, isolation: { limits: { memory: 'none' } } })
  expect((await sandbox.run(jobOf('true'))).isolation.limits.memory).toBe('none')
})
