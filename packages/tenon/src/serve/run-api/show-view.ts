import type { JsonObject } from '@tenon/kernel'
import { turnView } from '../../host/turn-view.js'
import { cutBodies } from './cut-bodies.js'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { runOfCaller } from './runs-of-caller.js'

export const showView = route<{ readonly run: string; readonly turn: string }>({
  name: 'getView',
  method: 'GET',
  path: '/runs/{run}/turns/{turn}/view',
  about: 'What the model was shown in a turn, block by block, with where each came from and what it took.',
  scope: 'runs:read',
  params: {
    run: PARAMS.run,
    turn: { in: 'path', schema: { type: 'string', pattern: '^t?\\d{1,9}$' }, about: 'A turn, such as t3 or 3.' },
  },
  answers: { 200: { about: 'The view.', schema: 'View' } },
  answer({ ports: { host }, caller, params: { run, turn } }) {
    const { runId } = runOfCaller(host, caller, run)
    const { frozen, messages, ...view } = turnView(host.store.journal.load(runId), turn)
    const cut = (name: string, items: readonly unknown[]): readonly JsonObject[] =>
      items.map((item, index) => cutBodies(item as JsonObject, { runId, of: view.turnId }, `/${name}/${index}`))
    return {
      status: 200,
      body: { runId, ...view, frozen: cut('frozen', frozen), messages: cut('messages', messages) },
    }
  },
})
