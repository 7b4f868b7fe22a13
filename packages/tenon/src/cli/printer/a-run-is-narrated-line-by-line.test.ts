import {
  CallId,
  ContextId,
  HOST,
  RequestId,
  ROOT_SCOPE,
  type RunEvent,
  type RunEventBody,
  RunId,
  RunState,
  TurnId,
  text,
  userMessage,
} from '@tenon/kernel'
import { expect, test } from 'vitest'
import { narrate } from './narrate.js'
import type { Piece } from './piece.js'
import { Printer } from './printer.js'

const runId = RunId('01hrun')
const call = CallId('t1.1')
const usage = { input: 1000, cachedInput: 0, cacheWrite: 0, output: 234, reasoning: null }
const turnBegan = (turn: string): RunEventBody => ({
  kind: 'turn-began',
  turnId: TurnId(turn),
  scope: ROOT_SCOPE,
  purpose: 'act',
  model: { provider: 'p', model: 'm' },
  view: { window: 1000, messages: 1, digest: 0, tokens: 10 },
})

/** A run that reads a file, asks before it writes, is denied, and answers. */
const story: [at: number, body: RunEventBody][] = [
  [
    0,
    {
      kind: 'run-submitted',
      agent: 'assistant',
      goal: userMessage('do it'),
      contextId: ContextId('c'),
      depth: 0,
      planner: { name: 'react', version: 1 },
      limits: {},
    },
  ],
  [1, turnBegan('t1')],
  [10, { kind: 'block-ended', turnId: TurnId('t1'), index: 0, block: text('I will write it.') }],
  [
    11,
    {
      kind: 'block-ended',
      turnId: TurnId('t1'),
      index: 1,
      block: { kind: 'tool-call', callId: call, name: 'write_file', args: { path: 'a.md' } },
    },
  ],
  [12, { kind: 'turn-ended', turnId: TurnId('t1'), outcome: 'finished', finish: 'tool-calls', usage, cost: 0.01 }],
  [
    13,
    {
      kind: 'call-proposed',
      call: {
        callId: call,
        scope: ROOT_SCOPE,
        tool: 'write_file',
        args: { path: 'a.md', content: 'hello' },
        refs: [],
        toolDigest: 'd',
        origin: { kind: 'function', name: 'local' },
        effect: 'once',
        key: 'k',
        provenance: HOST,
      },
    },
  ],
  [
    13,
    {
      kind: 'input-requested',
      request: {
        requestId: RequestId('t1.1/q1'),
        kind: 'approval',
        callId: call,
        key: 'consent',
        prompt: 'Allow write_file?',
        binding: 'b',
        resume: null,
        reason: 'it changes files',
      },
    },
  ],
  [5000, { kind: 'input-answered', requestId: RequestId('t1.1/q1'), answer: { kind: 'approve' } }],
  [5001, { kind: 'call-begun', callId: call, effect: 'once', key: 'k', attempt: 1 }],
  [
    5013,
    { kind: 'call-settled', callId: call, outcome: 'finished', content: [text('Wrote 5 bytes.')], provenance: HOST },
  ],
  [5014, turnBegan('t2')],
  [5020, { kind: 'block-ended', turnId: TurnId('t2'), index: 0, block: text('It is written.') }],
  [5021, { kind: 'turn-ended', turnId: TurnId('t2'), outcome: 'finished', finish: 'stop', usage, cost: 0.01 }],
  [5022, { kind: 'run-ended', state: 'completed', blocks: [text('It is written.')] }],
]

function pieces(): Piece[] {
  const run = new RunState()
  return story.flatMap(([at, body], index) => {
    const event = { seq: index + 1, at: 1000 + at, ...body } as RunEvent
    run.apply(event)
    return narrate(run, { kind: 'event', runId, event }, { width: 100, name: runId })
  })
}

function printed(flow: boolean, all: readonly Piece[]): string {
  let shown = ''
  const printer = new Printer({
    style: { flow, color: flow, width: 100 },
    write: (said) => {
      shown += said
    },
  })
  printer.print(all)
  printer.close()
  return shown
}

test('plain lines are labelled, and leave the result to standard output', () => {
  expect(printed(false, pieces())).toBe(
    [
      'run: 01hrun (agent assistant)',
      'assistant: I will write it.',
      'asks: write_file path="a.md" content="hello" (t1.1/q1, it changes files)',
      'call: write_file path="a.md" content="hello" (approved)',
      'result: write_file  Wrote 5 bytes. (finished, 12 ms)',
      'end: completed (2 turns, 1 call, 2.5k tokens, $0.02, 35 ms; run 01hrun)',
      '',
    ].join('\n'),
  )
})

test('on a terminal a text that was streamed is not printed again', () => {
  const streamed: Piece[] = [
    { kind: 'delta', key: 't1.0', block: 'text', text: 'Hel' },
    { kind: 'delta', key: 't1.0', block: 'text', text: 'lo' },
    { kind: 'block', key: 't1.0', block: 'text', text: 'Hello' },
    { kind: 'line', label: 'call', mark: '→', tone: 'call', text: 'x' },
  ]
  expect(printed(true, streamed)).toBe('Hello\n\u001b[36m→\u001b[39m x\n')
  expect(printed(false, streamed)).toBe('assistant: Hello\ncall: x\n')
})

test('colour and marks appear in flow style only', () => {
  expect(printed(true, pieces())).toContain('\u001b[')
  expect(printed(false, pieces())).not.toContain('\u001b')
})

test('the printer knows whether the result was already on the screen', () => {
  const printer = new Printer({ style: { flow: true, color: false, width: 80 }, write: () => {} })
  printer.print(pieces())
  printer.close()
  expect([printer.sawText('It is written.\n'), printer.sawText('I will write it.')]).toEqual([true, false])
})
