import type { Json } from '@tenon/kernel'
import type { Era, EraMethod } from '../era.js'
import { OPERATIONS, type OperationName } from '../operations.js'

const asItIs = (operation: OperationName): EraMethod => ({
  operation,
  params: (given) => given ?? {},
  result: (current) => current,
})

/** A2A 1.0: the operations under their own names. */
export const ERA_1_0: Era = {
  version: '1.0',
  methods: new Map(Object.keys(OPERATIONS).map((name) => [name, asItIs(name as OperationName)])),
  event: ({ event }) => ({ data: event as unknown as Json, last: false }),
  extensionsHeader: 'a2a-extensions',
}
