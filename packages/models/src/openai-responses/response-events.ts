/** Events that say nothing which a later event does not say again. By name, or by how the name begins. */
const QUIET = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'keepalive',
  'ping',
])

const QUIET_PREFIXES = [
  'response.audio.',
  'response.code_interpreter_call.',
  'response.code_interpreter_call_code.',
  'response.computer_call.',
  'response.custom_tool_call_input.',
  'response.file_search_call.',
  'response.image_generation_call.',
  'response.mcp_call.',
  'response.mcp_call_arguments.',
  'response.mcp_list_tools.',
  'response.shell_call',
  'response.web_search_call.',
]

export function isQuietEvent(type: string): boolean {
  return QUIET.has(type) || QUIET_PREFIXES.some((prefix) => type.startsWith(prefix))
}
