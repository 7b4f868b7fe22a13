import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LAUNCHER_FAILED, LAUNCHER_SAYS, launcherFailure, NOT_IN_GROUP } from './launcher-failure.js'
import { programOnPath } from './program-on-path.js'
import type { ConfinedStart } from './run-confined.js'

/** Makes a start one whose process is in its control group before it does anything. */
export type GroupDoor = { around(start: ConfinedStart): ConfinedStart; close(): void }

/**
 * Version 1: a shell moves itself and becomes the program. That is done at once; for whoever moves another process the
 * kernel waits until every processor has passed a quiet point, which takes 10 to 20 ms on a machine that is not busy.
 * The files are opened here, since the shell may be a user who could not.
 */
export function doorForOneself(folders: readonly string[]): GroupDoor {
  const files = folders.map((folder) => openSync(join(folder, 'tasks'), 'w'))
  return {
    around: (start) => startAfterMove(start, files),
    close() {
      for (const file of files) closeSync(file)
    },
  }
}

/** Exported for its tests. */
export function startAfterMove(start: ConfinedStart, files: readonly number[]): ConfinedStart {
  const handed = start.handed ?? []
  const fds = files.map((_, index) => FIRST_HANDED + handed.length + index)
  const fail = `{ echo '${LAUNCHER_SAYS}${NOT_IN_GROUP}' >&2; exit ${LAUNCHER_FAILED}; }`
  const script = [
    ...fds.map((fd) => `echo 0 2>/dev/null >&${fd} || ${fail}`),
    // A job has no business with them.
    `exec "$@" ${fds.map((fd) => `${fd}>&-`).join(' ')}`,
  ].join('\n')
  return {
    ...start,
    file: programOnPath('sh') ?? '/bin/sh',
    args: ['-c', script, 'sh', start.file, ...start.args],
    // Ours may be gone, of which a shell would complain.
    cwd: start.cwd ?? '/',
    handed: [...handed, ...files],
    startFailure: (code, stderr) => launcherFailure(code, stderr) ?? start.startFailure(code, stderr),
  }
}

const FIRST_HANDED = 3

/** Version 2, where a process that moves itself waits as well. Off this thread, therefore. */
export const doorForOthers = (folders: readonly string[]): GroupDoor => ({
  around: (start) => ({
    ...start,
    async joined(pid) {
      await Promise.all(folders.map((folder) => writeFile(join(folder, 'cgroup.procs'), String(pid))))
    },
  }),
  close() {},
})
