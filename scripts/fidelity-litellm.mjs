// `node scripts/fidelity-litellm.mjs`: drives the wire dialects against LiteLLM's proxy, a server that we did not write.
// It reads our requests, translates them for a chat server behind it, and writes its answers in the dialect asked for.
// A local check: it installs LiteLLM from PyPI into a temporary folder, unless TENON_LITELLM names the command.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CallId, HOST, text, userMessage } from '@tenon/kernel'
import { anthropicMessages, openaiChat, openaiResponses } from '@tenon/models'

const LITELLM = 'litellm[proxy]==1.80.0'
const PYTHON = process.platform === 'win32' ? 'python' : 'python3'

/** @param {string} why @returns {never} */
function skip(why) {
  console.log(`skipped: ${why}`)
  console.log('0 passed, 0 failed, 1 skipped')
  process.exit(0)
}

/** @param {string} folder */
function install(folder) {
  if (process.env.TENON_LITELLM) return process.env.TENON_LITELLM
  const made = spawnSync(PYTHON, ['-m', 'venv', join(folder, 'venv')])
  if (made.status !== 0) skip(`${PYTHON} with venv is missing`)
  const bin = join(folder, 'venv', process.platform === 'win32' ? 'Scripts' : 'bin')
  console.log(`installing ${LITELLM} (about a minute)`)
  const got = spawnSync(join(bin, 'pip'), ['install', '-q', LITELLM], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (got.status !== 0) skip(`${LITELLM} cannot be installed`)
  return join(bin, 'litellm')
}

/** @typedef {import('@tenon/kernel').JsonObject} JsonObject */
/** @type {any[]} What LiteLLM asked of the chat server behind it. */
const asked = []

/** A chat server that calls a tool and, once it has the result, answers with it. */
const upstream = createServer((request, response) => {
  /** @type {Buffer[]} */
  const pieces = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8'))
    asked.push(body)
    const result = body.messages.findLast((message) => message.role === 'tool')
    const call = {
      id: 'call_up',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city": "Århus 好"}' },
    }
    const message = result
      ? { role: 'assistant', content: `It is ${JSON.stringify(result.content).match(/\d+/)?.[0]} degrees 👩‍🚀.` }
      : { role: 'assistant', content: 'I look.', tool_calls: [{ index: 0, ...call }] }
    const finish_reason = result ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 }
    const base = { id: 'chatcmpl-up', created: 1, model: body.model }
    if (body.stream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = (/** @type {object} */ part) =>
        response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...part })}\n\n`)
      const { tool_calls, ...said } = /** @type {any} */ (message)
      chunk({ choices: [{ index: 0, delta: said, finish_reason: null }] })
      if (tool_calls) chunk({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] })
      chunk({ choices: [{ index: 0, delta: {}, finish_reason }] })
      chunk({ choices: [], usage })
      response.end('data: [DONE]\n\n')
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }),
    )
  })
})

/** @param {import('node:http').Server} server @returns {Promise<number>} */
const listen = (server) =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )

async function freePort() {
  const probe = createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const tools = [
  {
    name: 'get_weather',
    description: 'The weather of a city.',
    input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/** @param {import('@tenon/kernel').Model} model @param {readonly import('@tenon/kernel').Message[]} messages */
async function ask(model, messages) {
  const request = {
    system: [text('Be brief.')],
    messages,
    tools,
    toolChoice: /** @type {const} */ ('auto'),
    settings: { maxOutputTokens: 500 },
  }
  const blocks = []
  const { signal } = new AbortController()
  for await (const event of model.generate(request, { signal })) {
    if (event.kind === 'block-ended') blocks.push(event.block)
    if (event.kind === 'finished') return { blocks, finished: event }
  }
  throw new Error('no end came')
}

/** @param {string} what @param {unknown} wanted @param {unknown} got */
function same(what, wanted, got) {
  const [a, b] = [JSON.stringify(wanted), JSON.stringify(got)]
  if (a !== b) throw new Error(`${what}: expected ${a}, got ${b}`)
}

/** A tool loop of two turns. @param {import('@tenon/kernel').Model} model */
async function toolLoop(model) {
  const first = await ask(model, [userMessage('How warm is it?')])
  same('finish', 'tool-calls', first.finished.finish)
  const calls = first.blocks.filter((block) => block.kind === 'tool-call')
  same(
    'calls',
    [['get_weather', { city: 'Århus 好' }]],
    calls.map(({ name, args }) => [name, args]),
  )
  const turn = first.blocks.map((block, at) =>
    block.kind === 'tool-call' ? { ...block, callId: CallId(`t1.${at}`) } : block,
  )
  const results = turn.flatMap((block) =>
    block.kind === 'tool-call' && 'callId' in block
      ? [
          {
            kind: /** @type {const} */ ('tool-result'),
            callId: block.callId,
            name: block.name,
            content: [text('21')],
            isError: false,
            provenance: HOST,
          },
        ]
      : [],
  )
  const second = await ask(model, [
    userMessage('How warm is it?'),
    { role: 'assistant', blocks: turn },
    { role: 'tool', blocks: results },
  ])
  same('finish', 'stop', second.finished.finish)
  same(
    'text',
    ['It is 21 degrees 👩‍🚀.'],
    second.blocks.map((block) => (block.kind === 'text' ? block.text : block.kind)),
  )
  const sent = asked.at(-1)
  const call = sent.messages.find((/** @type {JsonObject} */ message) => message.tool_calls)?.tool_calls?.[0]
  const result = sent.messages.find((/** @type {JsonObject} */ message) => message.role === 'tool')
  same('id of the result', call?.id, result?.tool_call_id)
  same('arguments', { city: 'Århus 好' }, JSON.parse(call?.function.arguments ?? 'null'))
  same(
    'tools',
    ['get_weather'],
    sent.tools?.map((/** @type {any} */ tool) => tool.function.name),
  )
}

const folder = await mkdtemp(join(tmpdir(), 'tenon-litellm-'))
const command = install(folder)
const upstreamPort = await listen(upstream)
const port = await freePort()
const behind = `{ model: hosted_vllm/up, api_base: "http://127.0.0.1:${upstreamPort}/v1", api_key: none }`
const mock = (/** @type {string} */ said) => `{ model: openai/gpt-4o, api_key: none, mock_response: "${said}" }`
await writeFile(
  join(folder, 'config.yaml'),
  [
    'model_list:',
    `  - { model_name: up, litellm_params: ${behind} }`,
    `  - { model_name: limited, litellm_params: ${mock('litellm.RateLimitError')} }`,
    `  - { model_name: overflows, litellm_params: ${mock('litellm.ContextWindowExceededError')} }`,
    'litellm_settings: { num_retries: 0, telemetry: false }',
    'router_settings: { num_retries: 0 }',
  ].join('\n'),
)
const proxy = spawn(command, ['--config', join(folder, 'config.yaml'), '--host', '127.0.0.1', '--port', String(port)], {
  stdio: 'ignore',
  env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
})
const origin = `http://127.0.0.1:${port}`
let passed = 0
let failed = 0

/** @param {string} name @param {() => Promise<void>} run */
async function check(name, run) {
  try {
    await run()
    passed++
    console.log(`ok   ${name}`)
  } catch (error) {
    failed++
    console.log(`FAIL ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

try {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${origin}/health/liveliness`).catch(() => undefined)
    if (answer?.ok) break
    if (tries > 120 || proxy.exitCode !== null) throw new Error('LiteLLM did not start')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const options = { provider: 'litellm', baseUrl: `${origin}/v1`, apiKey: 'none' }
  for (const stream of [true, false]) {
    const how = stream ? 'streamed' : 'whole'
    const up = { ...options, model: 'up', quirks: { stream } }
    await check(`openai-chat, tool loop, ${how}`, () => toolLoop(openaiChat(up)))
    await check(`openai-responses, tool loop, ${how}`, () => toolLoop(openaiResponses(up)))
    await check(`anthropic-messages, tool loop, ${how}`, () => toolLoop(anthropicMessages(up)))
    for (const { model, code } of [
      { model: 'limited', code: 'rate-limited' },
      { model: 'overflows', code: 'context-overflow' },
      { model: 'nobody', code: 'invalid-request' },
    ])
      await check(`openai-chat, ${code}, ${how}`, async () => {
        const { finished } = await ask(openaiChat({ ...options, model, quirks: { stream } }), [userMessage('Hi')])
        same('code', code, finished.error?.code)
      })
  }
} finally {
  proxy.kill()
  upstream.close()
  upstream.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
