import {
  type CallId,
  type ContentBlock,
  type ContextId,
  type InputKind,
  type RequestId,
  ROOT_SCOPE,
  type RunEvent,
  type RunEventBody,
  type TurnId,
  USER,
  userMessage,
} from '@tenon/kernel'

type Submitted = Extract<RunEventBody, { kind: 'run-submitted' }>

/** Numbers event bodies as a driver does. */
export const numbered = (bodies: readonly RunEventBody[], from = 1): RunEvent[] =>
  bodies.map((body, index) => ({ ...body, seq: from + index, at: 1_000 * (from + index) }))

export const submitted = (more: Partial<Submitted> = {}): RunEventBody => ({
  kind: 'run-submitted',
  agent: 'main',
  goal: userMessage('Count the apples'),
  contextId: 'ctx_1' as ContextId,
  depth: 0,
  planner: { name: 'react', version: 1 },
  limits: {},
  ...more,
})

export const turnBegan = (turnId = 't1'): RunEventBody => ({
  kind: 'turn-began',
  turnId: turnId as TurnId,
  scope: ROOT_SCOPE,
  purpose: 'act',
  model: { provider: 'p', model: 'm' },
  view: { window: 1000, messages: 0, digest: 0, tokens: 0 },
})

export const called = (callId = 't1.0', turnId = 't1'): RunEventBody => ({
  kind: 'block-ended',
  turnId: turnId as TurnId,
  index: 0,
  block: { kind: 'tool-call', callId: callId as CallId, name: 'write', args: {} },
})

export const turnEnded = (turnId = 't1', cost = 0.25): RunEventBody => ({
  kind: 'turn-ended',
  turnId: turnId as TurnId,
  outcome: 'finished',
  finish: 'tool-calls',
  usage: { input: 100, cachedInput: 20, cacheWrite: 3, output: 7, reasoning: null },
  cost,
})

export const proposed = (callId = 't1.0'): RunEventBody => ({
  kind: 'call-proposed',
  call: {
    callId: callId as CallId,
    scope: ROOT_SCOPE,
    tool: 'write',
    args: {},
    refs: [],
    toolDigest: 'sha256:00',
    origin: { kind: 'function', name: 'test' },
    effect: 'once',
    key: `key ${callId}`,
    provenance: USER,
  },
})

export const begun = (callId = 't1.0', attempt = 1): RunEventBody => ({
  kind: 'call-begun',
  callId: callId as CallId,
  effect: 'once',
  key: `key ${callId}`,
  attempt,
})

export const settled = (callId = 't1.0', cost?: number): RunEventBody => ({
  kind: 'call-settled',
  callId: callId as CallId,
  outcome: 'finished',
  content: [{ kind: 'text', text: 'done' }],
  provenance: USER,
  ...(cost === undefined ? {} : { cost }),
})

export const asked = (
  requestId: string,
  callId = 't1.0',
  kind: InputKind = 'approval',
  key = 'consent',
): RunEventBody => ({
  kind: 'input-requested',
  request: {
    requestId: requestId as RequestId,
    kind,
    callId: callId as CallId,
    key,
    prompt: `May I? (${requestId})`,
    binding: 'b',
    resume: null,
  },
})

export const answered = (requestId: string, how?: 'withdrawn' | 'expired'): RunEventBody => ({
  kind: 'input-answered',
  requestId: requestId as RequestId,
  answer: { kind: 'approve' },
  ...(how === undefined ? {} : { how }),
})

export const ended = (state: 'completed' | 'failed' | 'canceled' = 'completed', code?: string): RunEventBody => ({
  kind: 'run-ended',
  state,
  blocks: [{ kind: 'text', text: 'There are 12.' }] satisfies ContentBlock[],
  ...(code === undefined ? {} : { error: { code, message: 'It went wrong.', retryable: false } }),
})
