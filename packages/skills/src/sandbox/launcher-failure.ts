/** How a launcher of ours that could not start its job says so: what its message begins with, and its exit code. */
export const LAUNCHER_SAYS = 'tenon-launcher: '
export const LAUNCHER_FAILED = 97

export const NOT_IN_GROUP = 'the job could not join its control group'

/** What a launcher said when it failed; undefined where the job itself ended. */
export const launcherFailure = (exitCode: number | null, stderr: string): string | undefined =>
  exitCode === LAUNCHER_FAILED && stderr.startsWith(LAUNCHER_SAYS)
    ? stderr.slice(LAUNCHER_SAYS.length).trim()
    : undefined
