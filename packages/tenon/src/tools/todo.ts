import { type JsonObject, type Tool, text } from '@tenon/kernel'
import { deferredSchema } from '../schema/to-schema.js'

const STATUSES = ['pending', 'working', 'done', 'dropped'] as const

type TodoItem = { readonly text: string; readonly status: (typeof STATUSES)[number] }

const INPUT = deferredSchema({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 300 },
          status: { enum: [...STATUSES] },
        },
        required: ['text', 'status'],
        additionalProperties: false,
      },
      description: 'The whole plan, in order.',
    },
  },
  required: ['items'],
  additionalProperties: false,
})

const MARK = { pending: '[ ]', working: '[>]', done: '[x]', dropped: '[-]' } as const

/** A plan that the user can see. Each call replaces it whole, so the newest result in the journal is all its state. */
export function todoTool(): Tool {
  return Object.freeze({
    name: 'todo',
    title: 'Plan',
    description:
      'Shows the user your plan for work of several steps. Send the whole plan each time: when it is made, and when a step begins or ends.',
    input: INPUT,
    effect: 'pure',
    origin: { kind: 'function', name: 'builtin' },
    trust: 'host',
    concurrency: 1,
    run(args: JsonObject) {
      const { items } = args as unknown as { items: readonly TodoItem[] }
      const done = items.filter(({ status }) => status === 'done').length
      const open = items.filter(({ status }) => status !== 'dropped').length
      const lines = items.map((item) => `${MARK[item.status]} ${item.text}`)
      return {
        kind: 'result',
        content: [text([...lines, items.length === 0 ? 'The plan is empty.' : `${done} of ${open} done`].join('\n'))],
        value: { items: items.map(({ text, status }) => ({ text, status })) },
      }
    },
  } satisfies Tool)
}
