import type { RunEventOf } from '@tenon/kernel'

/** Why a run failed, for its client: our own words for our own codes; what a tool or a provider said stays inside. */
export function failureText({ error }: Pick<RunEventOf<'run-ended'>, 'error'>): string {
  const why = error === undefined ? undefined : FAILURES[error.code]
  return `The agent could not finish the task${why === undefined ? '.' : `: ${why}.`}`
}

const FAILURES: Readonly<Record<string, string>> = {
  'limit-reached': 'it reached a limit that was set for it',
  'deadline-passed': 'the deadline has passed',
  'model-refused': 'the model declined to answer',
  'content-filtered': 'the answer was filtered',
  'output-invalid': 'the result did not get the required shape',
}
