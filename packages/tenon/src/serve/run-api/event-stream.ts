import { KernelError, type LiveItem, type RunId, type RunStateName } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { runOfCaller } from './runs-of-caller.js'
import { shownEvent } from './shown-event.js'
import { SseWriter } from './sse-writer.js'

type Params = { readonly run: string; readonly after?: number; readonly 'last-event-id'?: number }

/** Streams that one server has open at once. */
const MOST_STREAMS = 500

export const eventStream = route<Params>({
  name: 'streamEvents',
  method: 'GET',
  path: '/runs/{run}/events/stream',
  about: [
    'A run as it goes on, as server-sent events. `message`: an Event of the journal; its id is its seq.',
    '`live`: deltas of text, progress and retries, without an id and kept nowhere.',
    '`end`: the run has ended; data names its state. A stream that closes without it was cut: connect again;',
    '`stop` says before that the server stops.',
  ].join(' '),
  scope: 'runs:read',
  params: {
    run: PARAMS.run,
    after: PARAMS.after,
    'last-event-id': {
      in: 'header',
      schema: { type: 'integer', minimum: 0 },
      about: 'Last-Event-ID: the seq that a client came to. The later one of it and `after` counts.',
    },
  },
  answers: { 200: { about: 'The stream.', type: 'text/event-stream' } },
  async answer({ ports: { host, streams, report }, caller, params, response, signal }) {
    const { runId } = runOfCaller(host, caller, params.run)
    if (streams.open >= MOST_STREAMS)
      throw new HostError('too-many-streams', `At most ${MOST_STREAMS} streams may be open. Close some, or read pages.`)
    streams.open++
    const events = new SseWriter(response)
    // At once: a server that stops does not wait for its readers.
    signal.addEventListener('abort', () => events.end('stop', { code: 'server-stopping' }), { once: true })
    try {
      const after = Math.max(params.after ?? 0, params['last-event-id'] ?? 0)
      await follow(host, runId, after, events, signal)
    } catch (error) {
      // The answer has begun: the client sees a cut, and comes again.
      if (!signal.aborted) report(error)
    } finally {
      streams.open--
      events.close()
    }
    return 'sent' as const
  },
})

async function follow(
  { engine }: Host,
  runId: RunId,
  after: number,
  events: SseWriter,
  signal: AbortSignal,
): Promise<void> {
  let end: { readonly state: RunStateName; readonly seq: number } | undefined
  for await (const item of engine.follow(runId, { after, signal })) {
    if (item.kind !== 'event') await events.send('live', shownItem(item))
    else {
      const { event } = item
      await events.send('message', shownEvent(runId, event), event.seq)
      if (event.kind === 'run-ended') end = event
    }
  }
  if (signal.aborted) return
  end ??= (await engine.state(runId)).ended
  if (end === undefined) throw new KernelError('journal-unreadable', `The journal of ${runId} stops before its end.`)
  events.end('end', { state: end.state, seq: end.seq })
}

const shownItem = ({ runId: _, ...item }: Exclude<LiveItem, { kind: 'event' }>): object => item
