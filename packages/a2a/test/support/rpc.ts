import { randomUUID } from 'node:crypto'
import type { WireTask } from '../../src/mapping/wire-types.js'

type Answer = {
  readonly result?: {
    readonly task?: WireTask
    readonly tasks?: readonly WireTask[]
    readonly totalSize?: number
  } & Partial<WireTask>
  readonly error?: { readonly code: number; readonly message: string }
}

/** JSON-RPC of A2A 1.0. */
export async function rpc(url: string, method: string, params: object, headers: object = {}): Promise<Answer> {
  const response = await open(url, method, params, headers)
  return (await response.json()) as Answer
}

export const open = (url: string, method: string, params: object, headers: object = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

export const said = (text: string, more: object = {}): object => ({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
})

/** Events of a stream until it ends or `enough` is true. */
export async function readEvents(
  response: Response,
  enough: (event: Record<string, never>) => boolean = () => false,
): Promise<{ readonly id: string; readonly event: Record<string, never> }[]> {
  const events: { id: string; event: Record<string, never> }[] = []
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 2)
      const id = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? ''
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
      if (data === undefined) continue
      const event = (JSON.parse(data) as { readonly result: Record<string, never> }).result
      events.push({ id, event })
      if (enough(event)) return events
    }
  }
  return events
}
