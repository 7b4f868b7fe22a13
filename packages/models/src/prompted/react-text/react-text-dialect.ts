import type { ToolDefinition } from '@tenon/kernel'
import type { PromptedDialect, WrittenCall } from '../dialect.js'
import { exampleArguments, exampleTools } from '../example-arguments.js'
import { ThinkGate } from '../think-gate.js'
import { TokenHold } from '../token-hold.js'
import { toolList } from '../tool-list.js'
import { labelAt } from './labels.js'
import { readReactText } from './read-react-text.js'
import { ReactTextWatcher } from './watch-react-text.js'

/** Thought, Action, Action Input and Observation, a label a line: the classic form. */
export const reactTextDialect: PromptedDialect = {
  name: 'react-text',
  stop: ['\nObservation'],
  keepsThoughts: true,
  instructions,
  writeTurn,
  writeObservation: (_tool, text, isError) => `Observation: ${isError ? 'Error: ' : ''}${text}`,
  read: readReactText,
  watch: () => new TokenHold(new ThinkGate(new ReactTextWatcher())),
}

/** Where a line of a thought would be read as a label or a fence, the thought becomes one line. */
function oneReading(thought: string): string {
  const lines = thought.split('\n')
  const isRead = lines.some((line) => labelAt(line, 0, line.length) !== null || line.includes('```'))
  if (!isRead) return thought
  const words = lines.map((line) => line.trim()).filter((line) => line !== '')
  return words.join(' ').replaceAll('```', "'''")
}

function writeTurn(thought: string | null, calls: readonly WrittenCall[], answer: string | null): string {
  const lines: string[] = []
  if (thought !== null) lines.push(`Thought: ${oneReading(thought)}`)
  for (const { name, args, written } of calls) {
    lines.push(`Action: ${name}`)
    if (written !== name) lines.push(`Action Input: ${written ?? JSON.stringify(args)}`)
  }
  if (answer !== null) lines.push(`Final Answer: ${answer}`)
  return lines.join('\n')
}

function instructions(tools: readonly ToolDefinition[]): string {
  const [first, second = first] = exampleTools(tools)
  const example = (tool: ToolDefinition | undefined, thought: string): string =>
    tool === undefined ? '' : writeTurn(thought, [{ name: tool.name, args: exampleArguments(tool) }], null)
  return [
    'You can use these tools, one in a turn. Each line is a tool with the JSON Schema of its arguments:',
    toolList(tools),
    [
      'Every turn is either a use of a tool:',
      'Thought: why the tool is needed\nAction: the name of the tool\nAction Input: its arguments, one JSON object on one line',
      'or the end:',
      'Thought: why nothing is missing\nFinal Answer: what the user gets',
      'Stop after the Action Input line. The result comes as "Observation:" in the next message. Never write an Observation yourself.',
    ].join('\n'),
    'Examples of single turns (the values only show the form):',
    example(first, 'I need a tool for this.'),
    example(second, 'The first result was not enough, so I use another tool.'),
    writeTurn('I know enough now.', [], 'Here is what I found.'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
