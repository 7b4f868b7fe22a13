import { expect, test } from 'vitest'
import type { ToolResultBlock } from './block.js'
import { text } from './block.js'
import { History } from './history.js'
import { CallId } from './ids.js'
import type { Message } from './message.js'
import { hostMessage, userMessage } from './message.js'
import { HOST } from './provenance.js'

const called = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  blocks: ids.map((id) => ({ kind: 'tool-call', callId: CallId(id), name: 'look', args: {} })),
})
const result = (id: string): ToolResultBlock => ({
  kind: 'tool-result',
  callId: CallId(id),
  name: 'look',
  content: [text('ok')],
  isError: false,
  provenance: HOST,
})
const results = (...ids: readonly string[]): Message => ({ role: 'tool', blocks: ids.map(result) })
const goal = userMessage('go')

const ORPHAN = expect.objectContaining({ code: 'history-orphan' })

test.each<[string, readonly Message[]]>([
  ['a call at the end without a result', [goal, called('a')]],
  ['a word of the user between call and result', [goal, called('a'), hostMessage('wait'), results('a')]],
  ['one result missing of two', [goal, called('a', 'b'), results('a')]],
  ['one result too many', [goal, called('a'), results('a', 'b')]],
  ['results in another order than the calls', [goal, called('a', 'b'), results('b', 'a')]],
  ['a result of a call that nobody made', [goal, results('a')]],
  ['the result of another turn', [goal, called('a'), results('z')]],
  ['one id twice in a turn', [goal, called('a', 'a'), results('a', 'a')]],
  ['a second result for a call', [goal, called('a'), results('a'), results('a')]],
])('refused: %s', (_, messages) => {
  expect(() => History.of(messages)).toThrow(ORPHAN)
})

test('a history that was refused a message is as it was before', () => {
  const history = new History()
  history.append(goal)
  history.append(called('a', 'b'))
  expect(() => history.append(results('a'))).toThrow(ORPHAN)
  expect(() => history.append(goal)).toThrow(ORPHAN)
  history.append(results('a', 'b'))
  history.seal()
  expect(history.messages).toHaveLength(3)
})

test('turns without calls may follow one another', () => {
  const said: Message = { role: 'assistant', blocks: [text('so')] }
  expect(History.of([goal, said, said, goal, called('a'), results('a'), said]).messages).toHaveLength(7)
})
