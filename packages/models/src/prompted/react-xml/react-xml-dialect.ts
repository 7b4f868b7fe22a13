import type { ToolDefinition } from '@tenon/kernel'
import type { PromptedDialect, WrittenCall } from '../dialect.js'
import { exampleArguments, exampleTools } from '../example-arguments.js'
import { ThinkGate } from '../think-gate.js'
import { TokenHold } from '../token-hold.js'
import { toolList } from '../tool-list.js'
import { readReactXml } from './read-react-xml.js'
import { ReactXmlWatcher } from './watch-react-xml.js'

/** Thought, action, observation and final answer in tags. */
export const reactXmlDialect: PromptedDialect = {
  name: 'react-xml',
  stop: ['<observation>'],
  keepsThoughts: true,
  instructions,
  writeTurn,
  writeObservation: (_tool, text, isError) =>
    `<observation>${isError ? 'Error: ' : ''}${withoutTags(text)}</observation>`,
  read: readReactXml,
  watch: () => new TokenHold(new ThinkGate(new ReactXmlWatcher())),
}

/** Tags inside of text would end it: they are shown with other brackets. */
function withoutTags(text: string): string {
  return text.replace(/<(\/?(?:thought|action|observation|final_answer)\s*)>/gi, '‹$1›')
}

function writeTurn(thought: string | null, calls: readonly WrittenCall[], answer: string | null): string {
  const parts: string[] = []
  if (thought !== null) parts.push(`<thought>${withoutTags(thought)}</thought>`)
  for (const { name, args, written } of calls) {
    parts.push(`<action>${written ?? JSON.stringify({ name, arguments: args })}</action>`)
  }
  if (answer !== null) parts.push(`<final_answer>${withoutTags(answer)}</final_answer>`)
  return parts.join('\n')
}

function instructions(tools: readonly ToolDefinition[]): string {
  const [first, second = first] = exampleTools(tools)
  const example = (tool: ToolDefinition | undefined, thought: string): string =>
    tool === undefined ? '' : writeTurn(thought, [{ name: tool.name, args: exampleArguments(tool) }], null)
  return [
    'You can use these tools, one in a turn. Each line is a tool with the JSON Schema of its arguments:',
    toolList(tools),
    [
      'Every turn begins with <thought>…</thought> and goes on with exactly one of these:',
      '<action>{"name": "the name of the tool", "arguments": {…}}</action>',
      '<final_answer>what the user gets</final_answer>',
      'Stop after </action>. The result comes as <observation>…</observation> in the next message. Never write an observation yourself.',
    ].join('\n'),
    'Examples of single turns (the values only show the form):',
    example(first, 'I need a tool for this.'),
    example(second, 'The first result was not enough, so I use another tool.'),
    writeTurn('I know enough now.', [], 'Here is what I found.'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
