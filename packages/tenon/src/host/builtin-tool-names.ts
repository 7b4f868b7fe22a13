/** The tools that come with Tenon, by name: a configuration is checked against them before any tool is loaded. */
export const BUILTIN_TOOL_NAMES: readonly string[] = [
  'list_files',
  'read_file',
  'search_files',
  'write_file',
  'edit_file',
  'fetch_url',
  'ask_user',
  'todo',
  'read_artifact',
  'save_artifact',
  'run_agent',
]
