import type { RunEvent, RunId } from '@tenon/kernel'

/** One journal event as a line of `--json` and of an export: the event with the id of its run before it. */
export const eventLine = (runId: RunId, event: RunEvent): string => `${JSON.stringify({ runId, ...event })}\n`
