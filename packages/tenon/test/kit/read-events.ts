import type { Json } from '@tenon/kernel'

/** One server-sent event, as an `EventSource` would get it. */
export type SseEvent = {
  readonly name: string
  readonly id: number | undefined
  readonly data: Json
}

/** Server-sent events of a response, until it ends or breaks off. Comments are told as events named `:`. */
export async function* readEvents(response: Response): AsyncGenerator<SseEvent> {
  if (response.body === null) return
  let rest = ''
  try {
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== undefined) yield event
      }
    }
  } catch {
    // Cut: what was complete has been given.
  }
}

function eventOf(block: string): SseEvent | undefined {
  if (block.startsWith(':')) return { name: ':', id: undefined, data: null }
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  const id = fields.get('id')
  return {
    name: fields.get('event') ?? 'message',
    id: id === undefined ? undefined : Number(id),
    data: JSON.parse(data),
  }
}
