import { setTimeout as pause } from 'node:timers/promises'

const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' }

/** @param {string} method @param {object} params */
const body = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** @param {string} url @param {string} method @param {object} params @param {object} [more] headers */
export async function call(url, method, params, more = {}) {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: body(method, params) })
  const { result, error } = /** @type {any} */ (await response.json())
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

/** @param {string} url @param {string} method @param {object} params */
export const open = (url, method, params) => fetch(url, { method: 'POST', headers, body: body(method, params) })

/** @param {string} text @param {object} [more] */
export const said = (text, more = {}) => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
})

/**
 * A client that wants every event of a task once, whoever serves it: it sends with a key, notes the id of each event,
 * and goes on from there at the next server when one dies.
 *
 * @param {() => string} server the address of one that should be alive
 * @param {object} request
 * @param {(kind: string) => void} [seen] told of each event
 */
export async function follow(server, request, seen = () => undefined) {
  const key = crypto.randomUUID()
  const events = []
  let taskId = ''
  let last = ''
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      /** @type {Record<string, string>} */
      const more = taskId === '' ? { 'idempotency-key': key } : { 'last-event-id': last }
      const asked = taskId === '' ? body('SendStreamingMessage', request) : body('SubscribeToTask', { id: taskId })
      const response = await fetch(server(), { method: 'POST', headers: { ...headers, ...more }, body: asked })
      for await (const { id, data } of eventsOf(response)) {
        last = id
        taskId ||= data.result?.task?.id ?? ''
        events.push(data.result)
        seen(Object.keys(data.result ?? {})[0] ?? '')
        const state = data.result?.statusUpdate?.status.state ?? ''
        if (/COMPLETED|FAILED|CANCELED|REJECTED/.test(state)) return { taskId, events }
      }
    } catch {
      // The server died under the request; another one goes on.
    }
    await pause(20)
  }
  throw new Error(`gave up after ${events.length} events`)
}

/** The events of a stream, with their ids. @param {Response} response */
export async function* eventsOf(response) {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 2)
      const id = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? ''
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
      if (data !== undefined) yield { id, data: JSON.parse(data) }
    }
  }
}
