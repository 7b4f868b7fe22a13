import {
  type CallContext,
  CallId,
  type HandEvent,
  type HandResult,
  type InputNeed,
  type Json,
  type JsonObject,
  type NeedAnswer,
  plainText,
  RunId,
  type Schema,
} from '@tenon/kernel'
import { onTestFinished } from 'vitest'
import { memoryPins } from '../src/catalogue/pins.js'
import { McpHost, type McpHostOptions } from '../src/host/mcp-host.js'
import type { McpServerConfig } from '../src/host/server-config.js'
import type { EraName, EraVerdicts } from '../src/upstream/upstream.js'

/** Takes everything: what is tried with it is no schema. */
const compile = (json: Schema['json']): Schema => ({ json, check: (value) => ({ ok: true, value }) })

/** A host that ends with the test. */
export function hostOf(servers: readonly McpServerConfig[], more: Partial<McpHostOptions> = {}): McpHost {
  const clientInfo = { name: 'test', version: '1' }
  const host = new McpHost({ servers, compile, clientInfo, pins: memoryPins(), ...more })
  onTestFinished(() => host.close())
  return host
}

/** Legacy without a probe; modern as the probe finds it. */
export const verdictsOf = (era: EraName): EraVerdicts => ({
  get: () => (era === 'legacy' ? 'legacy' : undefined),
  set() {},
})

export type Called = { readonly wanted: readonly InputNeed[]; readonly text: string; readonly result: HandResult }

/** A call of a tool as the engine makes it: left when it asks, and entered again with `answer` to all it wanted. */
export async function called(
  host: McpHost,
  name: string,
  args: JsonObject = {},
  { answer = true, runId = 'run_1', callId = 'call_1' }: { answer?: Json; runId?: string; callId?: string } = {},
): Promise<Called> {
  const [server] = host.states
  const tool = await host.tool(server?.name ?? '', name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  const wanted: InputNeed[] = []
  let answers: readonly NeedAnswer[] = []
  let handle: Json | undefined
  for (let entered = 1; entered < 20; entered++) {
    const context: CallContext = {
      runId: RunId(runId),
      callId: CallId(callId),
      key: 'key',
      attempt: entered,
      signal: new AbortController().signal,
      handle,
      budget: undefined,
      answers,
      progress() {},
    }
    const needs: InputNeed[] = []
    for await (const event of tool.run(args, context) as AsyncIterable<HandEvent>) {
      if (event.kind === 'handle') handle = event.handle
      if (event.kind === 'needs-input') needs.push(...event.needs)
      if (event.kind === 'result') return { wanted, text: plainText(event.content), result: event }
    }
    wanted.push(...needs)
    answers = needs.map(({ key, resume }) => ({ key, resume, answer }))
  }
  throw new Error(`${name} does not end`)
}
