import {
  type CallContext,
  CallId,
  type HandEvent,
  type HandResult,
  type JsonObject,
  plainText,
  RunId,
  type Tool,
} from '@tenon/kernel'

export const callContext = (parts: Partial<CallContext> = {}): CallContext => ({
  runId: RunId('r1'),
  callId: CallId('t1.0'),
  key: 'k1',
  attempt: 1,
  signal: new AbortController().signal,
  handle: undefined,
  budget: undefined,
  answers: [],
  progress: () => {},
  ...parts,
})

/** Everything that a tool reports for one call, its arguments checked as the broker does. */
export async function eventsOf(tool: Tool, args: JsonObject, context = callContext()): Promise<readonly HandEvent[]> {
  const checked = await tool.input.check(args)
  if (!checked.ok) throw new Error(`arguments refused: ${JSON.stringify(checked.problems)}`)
  const running = tool.run(checked.value as JsonObject, context)
  if (!(Symbol.asyncIterator in running)) return [await running]
  const events: HandEvent[] = []
  for await (const event of running) events.push(event)
  return events
}

export async function resultOf(tool: Tool, args: JsonObject, context = callContext()): Promise<HandResult> {
  const last = (await eventsOf(tool, args, context)).at(-1)
  if (last?.kind !== 'result') throw new Error(`the tool ended with ${last?.kind ?? 'nothing'}`)
  return last
}

export const textOf = async (tool: Tool, args: JsonObject, context = callContext()): Promise<string> =>
  plainText((await resultOf(tool, args, context)).content)
