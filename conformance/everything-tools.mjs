// What the public suite expects of a server: tools, resources and prompts that show one part of the protocol each.
// Told without era and transport, so that the same fixtures stand behind our own server and behind the official SDK.

/**
 * What a tool may use: `ask` asks the client during the call, `log` and `progress` tell it something.
 *
 * @typedef {{
 *   args: Record<string, any>, inputs: Record<string, any>, state: any, capabilities: Record<string, any>,
 *   ask: (method: string, params: object) => Promise<any>, log: (level: string, data: unknown) => unknown,
 *   progress: ((step: object) => unknown) | undefined, token: unknown, signal: AbortSignal,
 *   changed: (kind: 'tools' | 'prompts') => void, round: (requests: object, state?: object) => unknown,
 * }} Use
 * @typedef {{ name: string, description: string, inputSchema?: object, task?: string, run: (use: Use) => any }} Fixture
 */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

/** @param {string} value */
const text = (value) => ({ content: [{ type: 'text', text: value }] })

/** @param {number} ms @param {AbortSignal} [signal] */
const pause = (ms, signal) =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      fail(signal.reason)
    })
  })

/** @param {string} message @param {string} field @param {string} [type] */
const form = (message, field, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  },
})
/** @param {string} question */
const sample = (question) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens: 100 },
})
const roots = { method: 'roots/list', params: {} }
/** @param {any} answer @param {string} field @param {string} [type] */
const accepted = (answer, field, type = 'string') =>
  answer?.action === 'accept' && typeof answer.content?.[field] === type ? answer.content[field] : undefined

/** @param {Record<string, object>} properties @param {string[]} [required] */
const object = (properties, required = []) => ({ type: 'object', properties, required })

/** @param {string} message @param {Record<string, object>} properties */
const asking =
  (message, properties) =>
  async (/** @type {Use} */ { ask }) => {
    const answer = await ask('elicitation/create', { message, requestedSchema: object(properties) })
    return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
  }

/** @type {Fixture[]} */
const contents = [
  { name: 'test_simple_text', description: 'Text', run: () => text('This is a simple text response for testing.') },
  {
    name: 'test_image_content',
    description: 'An image',
    run: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  },
  {
    name: 'test_audio_content',
    description: 'Audio',
    run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  },
  {
    name: 'test_embedded_resource',
    description: 'An embedded resource',
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Several kinds of content',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  },
  {
    name: 'test_error_handling',
    description: 'Always fails',
    run: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  {
    name: 'test_tool_with_logging',
    description: 'Logs while it runs',
    run: async ({ log }) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await log('info', line)
        await pause(50)
      }
      return text('Tool with logging executed successfully')
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Logs once',
    run: async ({ log }) => {
      await log('info', 'test_logging_tool ran')
      return text('logged')
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress',
    run: async ({ progress, token }) => {
      for (const done of [0, 50, 100]) {
        await progress?.({ progress: done, total: 100, message: `Completed step ${done} of 100` })
        await pause(50)
      }
      return text(String(token ?? 'no-progress-token'))
    },
  },
  {
    name: 'test_x_mcp_header',
    description: 'One argument is repeated in a header',
    inputSchema: object({ region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } }),
    run: ({ args }) => text(`region=${args.region ?? '<none>'}`),
  },
  { name: 'test_streaming_elicitation', description: 'Asks nothing', run: () => text('result frames only') },
  {
    name: 'json_schema_2020_12_tool',
    description: 'A schema with the keywords of JSON Schema 2020-12',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: ({ args }) => text(`called with ${JSON.stringify(args)}`),
  },
  { name: 'greet', description: 'Greets', run: ({ args }) => text(`Hello, ${args.name}!`) },
  {
    name: 'test_trigger_tool_change',
    description: 'Says that the tools have changed',
    run: ({ changed }) => {
      changed('tools')
      return text('told')
    },
  },
  {
    name: 'test_trigger_prompt_change',
    description: 'Says that the prompts have changed',
    run: ({ changed }) => {
      changed('prompts')
      return text('told')
    },
  },
]

const choice = (/** @type {string} */ stem) => ['1', '2', '3'].map((n) => `${stem}${n}`)

/** Ask during the call, as servers of the legacy era do. @type {Fixture[]} */
const pushing = [
  {
    name: 'test_sampling',
    description: 'Asks the model of the client',
    inputSchema: object({ prompt: { type: 'string' } }, ['prompt']),
    run: async ({ args, ask }) => {
      const { method, params } = sample(args.prompt)
      const answer = await ask(method, params)
      return text(`LLM response: ${answer.content?.text ?? 'No response'}`)
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user',
    inputSchema: object({ message: { type: 'string' } }, ['message']),
    run: async ({ args, ask }) => {
      const answer = await ask('elicitation/create', {
        message: args.message,
        requestedSchema: object({ response: { type: 'string', description: "User's response" } }, ['response']),
      })
      return text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
    },
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'A form with defaults',
    run: asking('Please review and update the form fields with defaults', {
      name: { type: 'string', description: 'User name', default: 'John Doe' },
      age: { type: 'integer', description: 'User age', default: 30 },
      score: { type: 'number', description: 'User score', default: 95.5 },
      status: {
        type: 'string',
        description: 'User status',
        enum: ['active', 'inactive', 'pending'],
        default: 'active',
      },
      verified: { type: 'boolean', description: 'Verification status', default: true },
    }),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'A form with every kind of choice',
    run: asking('Please select options from the enum fields', {
      untitledSingle: { type: 'string', enum: choice('option') },
      titledSingle: {
        type: 'string',
        oneOf: ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} Option` })),
      },
      legacyEnum: { type: 'string', enum: choice('opt'), enumNames: ['Option One', 'Option Two', 'Option Three'] },
      untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: choice('option') } },
      titledMulti: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: {
          anyOf: ['First', 'Second', 'Third'].map((title, at) => ({
            const: `value${at + 1}`,
            title: `${title} Choice`,
          })),
        },
      },
    }),
  },
]

/** Ask by ending a round, as servers of the modern era do (SEP-2322). @type {Fixture[]} */
const rounds = [
  {
    name: 'test_missing_capability',
    description: 'Needs a client with a model',
    run: ({ inputs, round }) =>
      inputs.llm_answer === undefined
        ? round({ llm_answer: sample('Say pong') })
        : text('sampling round-trip complete'),
  },
  {
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name',
    run: ({ inputs, round }) => {
      const name = accepted(inputs.user_name, 'name')
      return name === undefined ? round({ user_name: form('What is your name?', 'name') }) : text(`Hello, ${name}!`)
    },
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Asks the model of the client',
    run: ({ inputs, round }) =>
      inputs.capital_question === undefined
        ? round({ capital_question: sample('What is the capital of France?') })
        : text(`Sampling response: ${inputs.capital_question.content?.text}`),
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the roots',
    run: ({ inputs, round }) =>
      Array.isArray(inputs.client_roots?.roots)
        ? text(`Client exposed ${inputs.client_roots.roots.length} root(s)`)
        : round({ client_roots: roots }),
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Keeps state at the client',
    run: ({ inputs, state, round }) => {
      if (accepted(inputs.confirm, 'ok', 'boolean') === undefined)
        return round({ confirm: form('Please confirm', 'ok', 'boolean') }, { tool: 'request_state' })
      return text(state ? 'state-ok: requestState verified and confirmation received' : 'no state')
    },
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks three things at once',
    run: ({ inputs, round }) => {
      const name = accepted(inputs.user_name, 'name')
      const greeting = inputs.greeting?.content?.text
      if (name === undefined || greeting === undefined || !Array.isArray(inputs.client_roots?.roots))
        return round(
          {
            user_name: form('What is your name?', 'name'),
            greeting: sample('Generate a greeting'),
            client_roots: roots,
          },
          { tool: 'multiple_inputs' },
        )
      return text(`${greeting} ${name}: ${inputs.client_roots.roots.length} root(s)`)
    },
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice',
    run: ({ inputs, state, round }) => {
      if (state?.round === undefined) return round({ step1: form('Step 1: What is your name?', 'name') }, { round: 1 })
      if (state.round === 1) {
        const name = accepted(inputs.step1, 'name') ?? 'unknown'
        return round({ step2: form('Step 2: What is your favorite color?', 'color') }, { round: 2, name })
      }
      return text(`Multi-round complete: ${state.name} likes ${accepted(inputs.step2, 'color') ?? 'unknown'}`)
    },
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses a state that was changed',
    run: ({ inputs, state, round }) =>
      state && accepted(inputs.confirm, 'ok', 'boolean') !== undefined
        ? text('integrity-ok: requestState verified')
        : round({ confirm: form('Please confirm', 'ok', 'boolean') }, { tool: 'tampered_state' }),
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client can be asked',
    run: ({ inputs, capabilities, round }) => {
      if (Object.keys(inputs).length > 0) return text('Capability-aware input requests fulfilled')
      const requests = {
        ...(capabilities.elicitation ? { user_name: form('What is your name?', 'name') } : {}),
        ...(capabilities.sampling ? { greeting: sample('Generate a short greeting') } : {}),
        ...(capabilities.roots ? { client_roots: roots } : {}),
      }
      return Object.keys(requests).length === 0 ? text('nothing to ask') : round(requests)
    },
  },
]

/** Become tasks where the client can follow them (SEP-2663). @type {Fixture[]} */
const tasks = [
  {
    name: 'slow_compute',
    description: 'Takes some seconds',
    task: 'offered',
    run: async ({ args, signal }) => {
      await pause(Number(args.seconds ?? 0) * 1000, signal)
      return text('computed')
    },
  },
  {
    name: 'failing_job',
    description: 'Fails after a second',
    task: 'required',
    run: async () => {
      await pause(1000)
      return { ...text('the job failed'), isError: true }
    },
  },
  {
    name: 'protocol_error_job',
    description: 'Breaks after a moment',
    task: 'offered',
    run: async () => {
      await pause(200)
      throw new Error('broken')
    },
  },
  {
    name: 'confirm_delete',
    description: 'Asks before it deletes',
    task: 'offered',
    run: async ({ args, ask }) => {
      const { method, params } = form(`Delete ${args.filename}?`, 'confirm', 'boolean')
      const answer = await ask(method, params)
      return text(answer.action === 'accept' ? `deleted ${args.filename}` : 'kept')
    },
  },
  {
    name: 'multi_input',
    description: 'Asks two things at once',
    task: 'offered',
    run: async ({ ask }) => {
      const questions = [form('Your name?', 'name'), form('Sure?', 'confirm', 'boolean')]
      const answers = await Promise.all(questions.map(({ method, params }) => ask(method, params)))
      return text(JSON.stringify(answers))
    },
  },
  {
    name: 'test_tool_with_task',
    description: 'Asks first, then becomes a task',
    task: 'offered',
    run: async ({ inputs, round }) => {
      const name = accepted(inputs.user_name, 'name')
      if (name === undefined) return round({ user_name: form('What is your name?', 'name') })
      await pause(300)
      return text(`Done for ${name}`)
    },
  },
]

export const TOOLS = [...contents, ...pushing, ...rounds, ...tasks]

export const RESOURCES = [
  { uri: 'test://static-text', name: 'Static Text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Static Binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain' },
]
export const TEMPLATES = [{ uriTemplate: 'test://template/{id}/data', name: 'Template', mimeType: 'application/json' }]

/** @param {string} uri */
export function readFixture(uri) {
  const mimeType = RESOURCES.find((one) => one.uri === uri)?.mimeType
  if (uri === 'test://static-text')
    return { contents: [{ uri, mimeType, text: 'This is the content of the static text resource.' }] }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType, blob: PNG }] }
  if (uri === 'test://watched-resource') return { contents: [{ uri, mimeType, text: 'Watched resource content' }] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) return undefined
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { contents: [{ uri, mimeType: 'application/json', text: data }] }
}

export const PROMPTS = [
  { name: 'test_simple_prompt', description: 'No arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'Two arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Embeds a resource',
    arguments: [{ name: 'resourceUri', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'Has an image' },
  { name: 'test_input_required_result_prompt', description: 'Asks before it is written' },
]

/** @param {string} name @param {Pick<Use, 'args' | 'inputs' | 'round'>} use */
export function getFixture(name, { args, inputs, round }) {
  const user = (/** @type {object[]} */ ...blocks) => ({
    messages: blocks.map((content) => ({ role: 'user', content })),
  })
  const say = (/** @type {string} */ value) => ({ type: 'text', text: value })
  switch (name) {
    case 'test_simple_prompt':
      return user(say('This is a simple prompt for testing.'))
    case 'test_prompt_with_arguments':
      return user(say(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))
    case 'test_prompt_with_embedded_resource': {
      const resource = { uri: args.resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }
      return user({ type: 'resource', resource }, say('Please process the embedded resource above.'))
    }
    case 'test_prompt_with_image':
      return user({ type: 'image', data: PNG, mimeType: 'image/png' }, say('Please analyze the image above.'))
    case 'test_input_required_result_prompt': {
      const context = accepted(inputs.user_context, 'context')
      if (context === undefined) return round({ user_context: form('What context should be used?', 'context') })
      return user(say(`Use the following context: ${context}`))
    }
    default:
      return undefined
  }
}
