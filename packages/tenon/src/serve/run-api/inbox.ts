import { route } from './route.js'
import { principalFilter } from './runs-of-caller.js'

export const inbox = route({
  name: 'listRequests',
  method: 'GET',
  path: '/inbox',
  about: 'Everything that runs of the caller wait on, with what has to be known to answer it.',
  scope: 'runs:read',
  answers: { 200: { about: 'The inbox.', schema: 'Inbox' } },
  answer({ ports: { host, cards }, caller }) {
    return {
      status: 200,
      body: { requests: cards.of(host.store.runs.openInputs(principalFilter(caller))) },
    }
  },
})
