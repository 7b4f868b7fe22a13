import type { ToolChoice, ToolDefinition } from '@tenon/kernel'

/** The tools as a prompt lists them: one JSON line each, in the order given. */
export function toolList(tools: readonly ToolDefinition[]): string {
  return tools
    .map(({ name, description, input }) => JSON.stringify({ name, description, parameters: input }))
    .join('\n')
}

/** What the choice of tools demands, as a sentence; empty where the model is free. */
export function choiceInWords(choice: ToolChoice): string {
  if (choice === 'none') return 'Do not use a tool in your next turn: give the final answer.'
  if (choice === 'required') return 'You must use a tool in your next turn: do not give the final answer yet.'
  if (typeof choice === 'object') return `You must use the tool ${choice.name} in your next turn.`
  return ''
}
