import type { JsonObject } from '@tenon/kernel'
import { RUN_STATES } from '../../host/run-states.js'

/** A reference to one of `SCHEMAS`, as it stands in the OpenAPI document. */
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const text = (description: string): JsonObject => ({ type: 'string', description })
const whole = (description: string): JsonObject => ({ type: 'integer', minimum: 0, description })
const time = (description: string): JsonObject => ({
  type: 'integer',
  description: `${description} Epoch milliseconds.`,
})
const money = (description: string): JsonObject => ({ type: 'number', minimum: 0, description })
const list = (items: JsonObject, description: string): JsonObject => ({ type: 'array', items, description })
const anything = (description: string): JsonObject => ({ description })

/** All members are required but those that end with `?`. Clients must bear members that they do not know. */
const object = (description: string, members: Readonly<Record<string, JsonObject>>): JsonObject => ({
  type: 'object',
  description,
  properties: Object.fromEntries(Object.entries(members).map(([key, value]) => [key.replace(/\?$/, ''), value])),
  required: Object.keys(members).filter((key) => !key.endsWith('?')),
})

/** The same for what clients send: a member that is not known is a mistake, told as such. */
const request = (description: string, members: Readonly<Record<string, JsonObject>>): JsonObject => ({
  ...object(description, members),
  additionalProperties: false,
})

const STATE: JsonObject = { enum: RUN_STATES, description: 'A state of a run: those of A2A and no others.' }

const limitsOf = (of: (name: string) => JsonObject): Readonly<Record<string, JsonObject>> => ({
  'steps?': of('Turns.'),
  'calls?': of('Calls of tools, of sub-runs too.'),
  'tokens?': of('Input and output tokens, of sub-runs too.'),
  'money?': { ...of('US dollars, of sub-runs too.'), type: 'number' },
  'wallMs?': of('Milliseconds of work; waiting for people does not count.'),
})

const SUMMARY: Readonly<Record<string, JsonObject>> = {
  runId: text('Never changes.'),
  agent: text('Whose goal it is.'),
  goal: text('The first 200 characters of the goal, on one line.'),
  state: STATE,
  contextId: text('Groups runs that share a conversation.'),
  'parent?': text('The run that started this one.'),
  'principal?': text('Whose run it is.'),
  depth: whole('0 for a run of its own, 1 for its sub-runs.'),
  createdAt: time('When it was submitted.'),
  updatedAt: time('Its last event.'),
  changedAt: time('When the state, or what is asked, changed last.'),
  'endedAt?': time('Its end.'),
  turns: whole('Turns that have ended.'),
  tokens: whole('Of all turns, cached ones included.'),
  cost: money('US dollars.'),
  openInputs: whole('Questions that it waits on.'),
  'errorCode?': text('Why it failed.'),
}

const CALL = object('What an approval is about: the call as it was proposed.', {
  callId: text('Never changes.'),
  tool: text('Name of the tool.'),
  args: anything('All arguments, resolved. One that is over 4 KB is a Cut; get it whole before you approve.'),
  effect: { enum: ['pure', 'idempotent', 'once'], description: 'What the call does if it is repeated.' },
  origin: anything('Where the tool comes from: kind and name. null for a tool that nobody knows.'),
  toolDigest: text('Digest of the tool’s definition as it was proposed.'),
  definitionChanged: {
    type: ['boolean', 'null'],
    description: 'Whether the tool has another definition now; null where this server does not have it.',
  },
  provenance: anything('The least trusted of what the arguments come from.'),
})

const ANSWERED = object('An answer that counts.', {
  answer: anything('What was answered. null where the question was withdrawn.'),
  'by?': text('Who answered.'),
  at: time('When.'),
  seq: whole('Its event in the journal.'),
  'how?': {
    enum: ['withdrawn', 'expired'],
    description: 'withdrawn: dropped or answered elsewhere; expired: too late.',
  },
})

/** Every shape of the API, by its name in the OpenAPI document. */
export const SCHEMAS = {
  Error: object('What every error looks like.', {
    error: object('What went wrong.', {
      code: text('Stable; what a program decides by.'),
      message: text('For people: what is wrong, and what to do.'),
      retryable: { type: 'boolean', description: 'The same request may work later.' },
      'detail?': anything('More for a program, by code.'),
    }),
  }),
  RunSummary: object('A run, as a list shows it.', SUMMARY),
  RunPage: object('Runs, newest first.', {
    runs: list(ref('RunSummary'), 'At most `limit`.'),
    'older?': text('For `before`: where the next page goes on. Absent at the end.'),
    'newer?': text('For `after`: to ask later what came since.'),
  }),
  Limits: object('Bounds of a run. Absent: none, except 100 steps.', limitsOf(whole)),
  Run: object('A run.', {
    ...SUMMARY,
    seq: whole('Its last event.'),
    limits: ref('Limits'),
    'deadline?': time('It fails after this.'),
    'forkedFrom?': object('The run that it was taken from, and after which event.', {
      runId: text('That run.'),
      seq: whole('The last event that both have.'),
    }),
    grants: list(
      object('A consent that holds for more than one call.', {
        grantId: text('Never changes.'),
        tool: text('The tool that may be called.'),
        scope: { enum: ['run', 'always'], description: 'How long it holds.' },
        'pattern?': anything('The arguments that it is limited to; any where absent.'),
        'expiresAt?': time('When it ends.'),
        grantedBy: text('Who gave it.'),
      }),
      'Consents that were remembered in this run.',
    ),
    requests: list(ref('Request'), 'What it waits on, the oldest first.'),
    'result?': object('What came of it, once it has ended.', {
      blocks: anything('What the agent says: text, media, artifacts. What is over 4 KB is a Cut.'),
      'output?': anything('The typed result, where the agent has an output schema.'),
      'error?': anything('Why it did not complete: code and message.'),
    }),
  }),
  NewRun: request('A goal for an agent.', {
    goal: { type: 'string', minLength: 1, maxLength: 100_000, description: 'What is wanted.' },
    'agent?': { type: 'string', maxLength: 200, description: 'Absent: the main agent of the configuration.' },
    'contextId?': {
      type: 'string',
      minLength: 1,
      maxLength: 300,
      description:
        'Of an earlier run: both belong to one conversation, and a list can be had of it. Absent: a new one.',
    },
    'limits?': request(
      'Bounds below the agent’s own; it is never let above those.',
      limitsOf((about) => ({ type: 'integer', minimum: 0, description: about })),
    ),
    'deadline?': time('The run fails after this.'),
  }),
  Began: object('A run that was begun.', {
    runId: text('The run.'),
    state: STATE,
    contextId: text('For further runs of the same conversation.'),
    'forkedFrom?': anything('The run that it was taken from, and after which event.'),
  }),
  Message: request('A word of the user.', {
    message: { type: 'string', minLength: 1, maxLength: 100_000, description: 'What is said.' },
  }),
  Told: object('A message that was taken in.', {
    runId: text('The run.'),
    messageId: text('The messageId of its event.'),
    state: STATE,
  }),
  Event: object('One event of the journal. Members beyond these depend on the kind; what is over 4 KB is a Cut.', {
    seq: { type: 'integer', minimum: 1, description: 'Counts from 1 without gaps, and never changes.' },
    at: time('When.'),
    kind: text(
      'Such as run-submitted, turn-began, block-ended, call-proposed, call-settled, input-requested, run-ended.',
    ),
  }),
  Cut: object('Stands in the place of a value over 4 KB.', {
    cut: object('Where the value is.', {
      handle: text('For GET /artifacts/{handle}.'),
      bytes: whole('Of the whole value.'),
      mediaType: { enum: ['text/plain; charset=utf-8', 'application/json'] },
      preview: text('How it begins.'),
    }),
  }),
  EventPage: object('Events of a run, the oldest first.', {
    runId: text('The run.'),
    events: list(ref('Event'), 'At most `limit`.'),
    'next?': whole('For `after`: where the next page goes on. Absent where the journal ends now.'),
  }),
  Request: object('A question that a run waits on.', {
    id: text('For POST /inbox/{id}. Never changes.'),
    runId: text('The run that waits.'),
    requestId: text('The question within that run.'),
    agent: text('Whose run it is.'),
    goal: text('The first 200 characters of the run’s goal.'),
    kind: { enum: ['approval', 'question', 'auth'], description: 'What is wanted.' },
    prompt: text('The question.'),
    'reason?': text('Why it is asked.'),
    'schema?': anything('JSON Schema of the answer to a question.'),
    askedAt: time('When.'),
    'expiresAt?': time('After this it counts as denied.'),
    'via?': object('Where the question comes from, if the run only passes it on.', {
      'runId?': text('The sub-run that asks.'),
      'requestId?': text('The question within that run or peer.'),
      'peer?': text('The peer that asks.'),
    }),
    'call?': CALL,
    'rememberAtMost?': {
      enum: ['call', 'run', 'always'],
      description: 'How long an approval may hold by policy.',
    },
  }),
  Inbox: object('Questions of all runs, the oldest first.', {
    requests: list(ref('Request'), 'At most 1,000. A question of a sub-run stands once, on the run that started it.'),
  }),
  Answer: request('An answer.', {
    answer: anything('To an approval an Approval; to a question what its schema says.'),
  }),
  Approval: {
    oneOf: [
      request('Yes.', {
        kind: { const: 'approve' },
        'remember?': { enum: ['run', 'always'], description: 'Absent: for this call only.' },
        'until?': time('When a remembered approval ends.'),
        'pattern?': {
          type: 'object',
          description:
            'JSON pointer to exact value or text with *: a remembered approval holds for such arguments only.',
        },
        'args?': { type: 'object', description: 'Arguments in place of the proposed ones.' },
      }),
      request('No.', { kind: { const: 'deny' }, 'reason?': { type: 'string', maxLength: 10_000 } }),
    ],
    description: 'The answer to an approval.',
  },
  Answered: object('The answer that was taken.', { id: text('The question.'), first: ANSWERED }),
  AnswerLeft: object('Nobody drives the run just now: the answer waits for whoever does.', {
    id: text('The question.'),
    next: text('How the run goes on.'),
  }),
  AlreadyAnswered: object('Somebody was first.', {
    error: object('The error.', {
      code: { const: 'request-answered' },
      message: text('For people.'),
      retryable: { const: false },
      detail: object('Who was first.', { first: ANSWERED }),
    }),
  }),
  View: object('What the model was shown in a turn. What is over 4 KB is a Cut.', {
    runId: text('The run.'),
    turnId: text('Such as t3.'),
    model: text('Provider and model.'),
    manifest: anything('How many messages and tokens it had.'),
    entries: anything('The parts of the view: tokens, share, trust, digest.'),
    frozen: anything('The parts that stand before the messages.'),
    messages: anything('The messages, in order.'),
    usage: anything('What the provider counted; null where it told nothing.'),
  }),
  Budget: object('What a run may use and what it has used.', {
    runId: text('The run.'),
    limits: ref('Limits'),
    used: object('Sub-runs and peers included, where limits count them.', {
      steps: whole('Turns.'),
      calls: whole('Calls.'),
      tokens: whole('Tokens.'),
      money: money('US dollars.'),
      wallMs: whole('Milliseconds of work.'),
    }),
    delegated: anything('The part of calls, tokens and money that sub-runs and peers used.'),
    reserved: anything('What is set aside of calls, tokens and money for calls under way.'),
    tokens: object('The run’s own tokens by kind.', {
      input: whole('Not from a cache.'),
      cachedInput: whole('From the provider’s cache.'),
      cacheWrite: whole('Into it.'),
      output: whole('Reasoning included.'),
      reasoning: whole('Part of output.'),
    }),
    waitedMs: whole('Milliseconds of waiting for people.'),
    'window?': object('What the last view took.', {
      turnId: text('The turn.'),
      tokens: whole('Estimated.'),
      size: whole('What fits into one request of the model.'),
    }),
  }),
  Fork: request('Where to begin.', {
    seq: { type: 'integer', minimum: 1, description: 'The last event that the new run has of the old one.' },
  }),
  Cancel: request('Why.', { 'reason?': { type: 'string', maxLength: 10_000 } }),
  Canceled: object('The run, as it is on its way to its end.', { runId: text('The run.'), state: STATE }),
  Removed: object('What is gone.', {
    runId: text('The run.'),
    runs: whole('It and its sub-runs.'),
    artifacts: whole('Artifacts that nobody else refers to.'),
  }),
  Agents: object('Agents that can be given a goal.', {
    agents: list(
      object('An agent.', {
        name: text('For `agent` of a new run.'),
        'description?': text('What it is good for.'),
        main: { type: 'boolean', description: 'Gets the goals that name no agent.' },
      }),
      'In the order of the configuration.',
    ),
  }),
  Skills: object('Skills of this place, with what was found wrong.', {
    skills: list(
      object('A skill.', {
        name: text('Its name.'),
        state: text('ready, shadowed, cannot be used.'),
        scope: text('Where it comes from: project, user, configured, server.'),
        'server?': text('The MCP server that offers it.'),
        description: { type: ['string', 'null'] },
        loadable: { type: 'boolean' },
        modelVisible: { type: 'boolean', description: 'A model is told of it.' },
        bodyTokens: whole('What it takes of a view once it is activated.'),
        diagnostics: list(
          object('A finding.', {
            kind: text('Stable; tenon skills doctor explains each.'),
            file: text('From the folder of the skill.'),
            'line?': { type: 'integer', minimum: 1 },
            message: text('What was found and what was done.'),
          }),
          'What was found wrong.',
        ),
      }),
      'In order of precedence.',
    ),
    problems: list(text('One line for people.'), 'Skills that are there and cannot be used.'),
  }),
  Document: { type: 'object', description: 'An OpenAPI document.' },
} as const satisfies Readonly<Record<string, JsonObject>>

export type SchemaName = keyof typeof SCHEMAS
