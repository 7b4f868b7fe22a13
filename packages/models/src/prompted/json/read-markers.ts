import type { ReadCall, TurnDiagnostic } from '../read-turn.js'
import type { CallGroup, JsonContext } from './call-group.js'
import { skipBlanks } from './call-group.js'
import { readDeepSeekCalls } from './deepseek-calls.js'
import { readDsmlCalls } from './dsml-calls.js'
import type { MarkedCalls } from './marked-calls.js'
import { readMistralCalls } from './mistral-calls.js'
import { readPythonTagCalls } from './python-tag-calls.js'
import { readFunctionBlock } from './read-function-block.js'
import { readToolCallTag, TOOL_CALL_CLOSE } from './tool-call-tag.js'

/** Where a marker that a model's own template uses may begin. */
export const MARKER =
  /<tool_call>|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<｜tool▁calls?▁begin｜>|<｜DSML｜(?:tool_calls|function_calls)>|<｜DSML｜invoke /g

/** Calls in native markers, as many as stand in a row. Null where no body of their form follows. */
export function readMarkers(context: JsonContext, start: number): CallGroup | null {
  const { text, to } = context
  const calls: ReadCall[] = []
  const diagnostics = new Set<TurnDiagnostic>(['native-markers'])
  let end = start
  for (let at = start; at < to; at = skipBlanks(text, end, to)) {
    const marked = readMarker(context, at)
    if (marked === null) break
    calls.push(...marked.calls)
    end = marked.end
    if (marked.unclosed) diagnostics.add('unclosed-tag')
  }
  if (calls.length === 0) return null
  return { start, end, calls, answer: null, diagnostics: [...diagnostics], trailingComma: false }
}

function readMarker(context: JsonContext, at: number): MarkedCalls | null {
  const { text } = context
  if (text.startsWith('<tool_call>', at)) return readToolCallTag(context, at)
  if (text.startsWith('<function=', at)) {
    const block = readFunctionBlock(context, at)
    if (block === null) return null
    // The wrapper's opening tag may lack.
    const behind = skipBlanks(text, block.end, context.to)
    const closes = text.startsWith(TOOL_CALL_CLOSE, behind)
    return {
      calls: [block.call],
      end: closes ? behind + TOOL_CALL_CLOSE.length : block.end,
      unclosed: block.unclosed,
    }
  }
  if (text.startsWith('<|python_tag|>', at)) return readPythonTagCalls(context, at + 14)
  if (text.startsWith('[TOOL_CALLS]', at)) return readMistralCalls(context, at + 12)
  if (text.startsWith('<｜tool▁call', at)) return readDeepSeekCalls(context, at)
  if (text.startsWith('<｜DSML｜', at)) return readDsmlCalls(context, at)
  return null
}
