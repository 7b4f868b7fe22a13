/** The tools by which skills reach a model; a configuration is checked against them before any skill is loaded. */
export const SKILL_TOOL_NAMES: readonly string[] = [
  'activate_skill',
  'search_skills',
  'read_skill_file',
  'run_skill_script',
]
