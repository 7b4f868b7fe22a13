import { plainText, type RunEventOf } from '@tenon/kernel'

/** What a run came to, as text for stdout: the typed result as JSON where there is one, else what it said last. */
export function resultText(end: Pick<RunEventOf<'run-ended'>, 'blocks' | 'output'>): string {
  if (end.output !== undefined) return typeof end.output === 'string' ? end.output : JSON.stringify(end.output, null, 2)
  return plainText(end.blocks)
}
