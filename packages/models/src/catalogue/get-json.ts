import type { IncomingMessage } from 'node:http'

/**
 * The JSON at an address, within a time and a size; redirects are not followed. Rejects for everything else. Not with
 * `fetch`: the first one of a process takes longer to load than a server on the same machine takes to answer.
 */
export async function getJson(url: string, timeoutMs: number, mostBytes: number): Promise<unknown> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    get(url, { signal, headers: { accept: 'application/json' }, agent: false }, answered).on('error', failed)
  })
  try {
    const { statusCode = 0 } = response
    if (statusCode < 200 || statusCode > 299) throw new Error(`HTTP ${statusCode}`)
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostBytes) throw new Error('the answer is too large')
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } finally {
    response.destroy()
  }
}
