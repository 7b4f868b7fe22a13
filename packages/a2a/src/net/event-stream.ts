import { StringDecoder } from 'node:string_decoder'

/**
 * The `data` of each event of an event stream, as the HTML standard reads it: comments, any of the three line ends,
 * data over many lines, cut anywhere. `tooLong` makes the error for an event or a stream over its bound.
 */
export async function* eventStream(
  body: AsyncIterable<Uint8Array>,
  bounds: { readonly eventBytes: number; readonly responseBytes: number },
  tooLong: () => Error,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let data: string[] = []
  let size = 0
  let total = 0
  let began = false
  for await (const chunk of body) {
    total += chunk.length
    if (total > bounds.responseBytes) throw tooLong()
    rest += decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    if (!began && rest !== '') {
      began = true
      if (rest.startsWith('\uFEFF')) rest = rest.slice(1)
    }
    const lines = completeLines(rest)
    rest = lines.rest
    for (const line of lines.complete) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
        size = 0
      } else if (line.startsWith('data:') || line === 'data') {
        const value = line.slice(line[5] === ' ' ? 6 : 5)
        size += value.length
        if (size > bounds.eventBytes) throw tooLong()
        data.push(value)
      }
    }
    if (rest.length > bounds.eventBytes) throw tooLong()
  }
}

/** A CR at the very end may be half of a CR LF and stays. */
function completeLines(text: string): { readonly complete: readonly string[]; readonly rest: string } {
  const complete: string[] = []
  let from = 0
  const ends = /\r\n|\n|\r(?!$)/g
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    complete.push(text.slice(from, end.index))
    from = end.index + end[0].length
  }
  return { complete, rest: text.slice(from) }
}
