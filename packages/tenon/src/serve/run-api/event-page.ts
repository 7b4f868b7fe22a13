import { PARAMS } from './params.js'
import { route } from './route.js'
import { runOfCaller } from './runs-of-caller.js'
import { shownEvent } from './shown-event.js'

const USUAL = 500

export const eventPage = route<{ readonly run: string; readonly after?: number; readonly limit?: number }>({
  name: 'listEvents',
  method: 'GET',
  path: '/runs/{run}/events',
  about: 'What has happened in a run. What happens from now on comes from its stream.',
  scope: 'runs:read',
  params: {
    run: PARAMS.run,
    after: PARAMS.after,
    limit: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000 }, about: 'Absent: 500.' },
  },
  answers: { 200: { about: 'A page.', schema: 'EventPage' } },
  answer({ ports, caller, params: { run, after = 0, limit = USUAL } }) {
    const { runId } = runOfCaller(ports.host, caller, run)
    const found = ports.host.store.journal.load(runId, after, limit + 1)
    const events = found.slice(0, limit)
    const last = events.at(-1)
    return {
      status: 200,
      body: {
        runId,
        events: events.map((event) => shownEvent(runId, event)),
        ...(found.length > limit && last !== undefined ? { next: last.seq } : {}),
      },
    }
  },
})
