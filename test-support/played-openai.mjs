import { createServer } from 'node:http'

/**
 * A server that speaks OpenAI's Responses form and plays the model of the README's snippet: it calls the first tool
 * with these arguments, and once it is shown a result it gives this answer. No language model is at work.
 *
 * @param {{ args: object, answer: unknown }} part
 * @returns {Promise<{ env: { OPENAI_API_KEY: string, OPENAI_BASE_URL: string }, close: () => void }>}
 */
export async function playedOpenAi(part) {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece) => {
      text += piece
    })
    request.on('end', () => {
      const { input, tools } = JSON.parse(text)
      const shown = input.some((/** @type {{ type?: string }} */ item) => item.type === 'function_call_output')
      const item = shown
        ? { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [said(part.answer)] }
        : {
            type: 'function_call',
            id: 'fc_1',
            call_id: 'call_1',
            status: 'completed',
            name: tools[0].name,
            arguments: JSON.stringify(part.args),
          }
      const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 }
      const done = { id: 'resp_1', object: 'response', status: 'completed', model: 'played', output: [item], usage }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of [
        { type: 'response.created', response: { ...done, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: done },
      ])
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.end()
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    env: { OPENAI_API_KEY: 'played-key-0123456789', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What the snippet's model is played to do. */
export const SNIPPET_PART = { args: { from: 'EUR', to: 'USD' }, answer: { amount: 270, currency: 'USD' } }

/** @param {unknown} answer */
const said = (answer) => ({ type: 'output_text', text: JSON.stringify(answer), annotations: [] })
