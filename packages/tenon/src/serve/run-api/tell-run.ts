import { createHash } from 'node:crypto'
import { principalOf } from '@tenon/a2a'
import { canonicalJson, messageIdOf, messageItem, type RunId, sortableId } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import { PARAMS } from './params.js'
import { route } from './route.js'
import { belongsHere, runOfCaller } from './runs-of-caller.js'

type Params = { readonly run: string; readonly 'idempotency-key'?: string }

export const tellRun = route<Params, { readonly message: string }>({
  name: 'tellRun',
  method: 'POST',
  path: '/runs/{run}/messages',
  about: 'Says a word of the user to a run that has not ended. Its next turn sees it; what it waits on stays open.',
  scope: 'runs:write',
  params: { run: PARAMS.run, 'idempotency-key': PARAMS.key },
  body: 'Message',
  answers: {
    202: { about: 'It is on its way; its event is message-received.', schema: 'Told' },
    200: { about: 'The run has it already, by a request with the same key.', schema: 'Told' },
  },
  async answer({ ports: { host }, caller, params, body: { message } }) {
    const summary = runOfCaller(host, caller, params.run)
    const { runId } = summary
    const by = principalOf(caller)
    const key = params['idempotency-key']
    const id = key === undefined ? sortableId() : claimed(host, { owner: by, key, request: { runId, message } })
    const run = await host.engine.state(runId)
    const told = { runId, messageId: messageIdOf(id), state: run.state }
    if (run.received.has(told.messageId)) return { status: 200, body: told }
    if (belongsHere(host, summary)) await host.engine.tell(runId, message, by, id)
    else host.store.inbox.put(runId, messageItem(run, message, by, id))
    return { status: 202, body: told }
  },
})

type Claim = {
  readonly owner: string
  readonly key: string
  readonly request: { readonly runId: RunId; readonly message: string }
}

/**
 * The id that the message has under this key, in the run and for ever.
 * @throws HostError `key-reused` when the key stands for another message
 */
function claimed({ store }: Host, { owner, key, request }: Claim): string {
  const digest = createHash('sha256').update(canonicalJson(request)).digest('hex')
  const before = store.sendKeys.claim(`messages ${owner}`, key, { runId: request.runId, digest })
  if (before.digest !== digest)
    throw new HostError('key-reused', 'This Idempotency-Key stands for another message. Use a new one for each.')
  return createHash('sha256')
    .update(canonicalJson([owner, key, digest]))
    .digest('base64url')
}
