import { toolOfRule } from '@tenon/skills'

/** Of the tools that a skill names, in its `allowed-tools` or its text, those that are not offered here, each once; in words. */
export function missingTools(named: readonly string[], isOffered: (tool: string) => boolean): readonly string[] {
  const lost = new Map<string, string>()
  for (const said of named) {
    const tool = toolOfRule(said)
    if (isOffered(tool)) continue
    const what = said.startsWith(tool) ? 'no tool of that name is offered here' : `${tool} is not offered here`
    lost.set(tool, `it names ${said}: ${what}`)
  }
  return [...lost.values()]
}
