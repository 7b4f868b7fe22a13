import { tool } from 'tenon'

/** Code of this process. A model only proposes the call; the schema and the policy stand in between. */
export const sampleJoint = tool({
  name: 'sample_joint',
  description: 'Adds a percentage, such as a tax, to an amount of money up to 1,000,000 and rounds to cents.',
  input: {
    type: 'object',
    properties: {
      amount: { type: 'number', minimum: 0, maximum: 1_000_000, description: 'The amount without the percentage.' },
      percent: { type: 'number', minimum: 0, maximum: 100, description: '19 stands for 19 %.' },
    },
    required: ['amount', 'percent'],
    additionalProperties: false,
  },
  // It changes nothing: it runs without asking, and again after a crash.
  effect: 'pure',
  run: ({ amount, percent }) => ({ total: Math.round(amount * (100 + percent)) / 100 }),
})
