import type { JsonObject, RunEvent, RunId } from '@tenon/kernel'
import { cutBodies } from './cut-bodies.js'
import { publicEvent } from './public-event.js'

/** An event as clients get it, in a page and in a stream alike. */
export const shownEvent = (runId: RunId, event: RunEvent): JsonObject =>
  cutBodies(publicEvent(event), { runId, of: event.seq })
