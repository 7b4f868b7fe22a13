import { PeerError } from '@tenon/a2a'
import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { type PeerOptions, peerAtHand } from '../../a2a/peer-at-hand.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { safeText } from '../printer/safe-text.js'

export type A2aTasksOptions = PeerOptions & {
  readonly context?: string
  readonly state?: string
  readonly json?: boolean
}

const MOST_PAGES = 20

/** `tenon a2a tasks`: page by page, at most a thousand. */
export async function a2aTasks(io: Io, written: string, options: A2aTasksOptions): Promise<number> {
  const peer = peerAtHand(io, written, options)
  const { signal } = new AbortController()
  const wanted: JsonObject = {
    pageSize: 50,
    ...(options.context === undefined ? {} : { contextId: options.context }),
    ...(options.state === undefined ? {} : { status: stateName(options.state) }),
  }
  try {
    const { wire } = await peer.link(signal)
    let pageToken = ''
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await wire.list(pageToken === '' ? wanted : { ...wanted, pageToken }, signal)
      if (!isJsonObject(answer) || !(answer.tasks === undefined || Array.isArray(answer.tasks)))
        throw new PeerError('peer-protocol-error', `What ${peer.name} answered is no list of tasks.`)
      const { tasks = [], nextPageToken } = answer
      for (const task of tasks as readonly Json[])
        io.stdout.write(`${options.json ? JSON.stringify(task) : safeText(lineOf(task))}\n`)
      if (typeof nextPageToken !== 'string' || nextPageToken === '') break
      pageToken = nextPageToken
    }
    return EXIT.completed
  } finally {
    await peer.close()
  }
}

const stateName = (state: string): string =>
  state.startsWith('TASK_STATE_') ? state : `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`

function lineOf(task: Json): string {
  const { id, contextId, status } = isJsonObject(task) ? task : {}
  const { state, timestamp } = isJsonObject(status) ? status : {}
  const shown = String(state ?? '')
    .replace('TASK_STATE_', '')
    .toLowerCase()
    .replaceAll('_', '-')
  return [id, shown, timestamp ?? '', contextId ?? ''].map(String).join('  ').trimEnd()
}
