import type { JsonObject } from '@tenon/kernel'
import { RUN_STATES } from '../../host/run-states.js'

const id = (about: string) => ({ in: 'path', schema: { type: 'string', minLength: 1, maxLength: 300 }, about }) as const
const whole: JsonObject = { type: 'integer', minimum: 0 }
const text: JsonObject = { type: 'string', minLength: 1, maxLength: 300 }

/** Parameters that several routes have. */
export const PARAMS = {
  run: id('The id of a run.'),
  key: {
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    about: 'Idempotency-Key: the same request with the same key is done once, and answered the same for a day.',
  },
  after: { in: 'query', schema: whole, about: 'Only events after this seq. Absent: from the first one.' },
  states: {
    in: 'query',
    schema: { type: 'array', items: { enum: RUN_STATES }, maxItems: RUN_STATES.length },
    about: 'Only runs in these states, with commas between them.',
  },
  agent: { in: 'query', schema: text, about: 'Only runs of this agent.' },
  context: { in: 'query', schema: text, about: 'Only runs of this context.' },
  parent: { in: 'query', schema: text, about: 'Only sub-runs of this run; `none`: only runs that no other started.' },
  older: { in: 'query', schema: text, about: '`older` of a page: the next page.' },
  newer: { in: 'query', schema: text, about: '`newer` of a page: what came since.' },
} as const
