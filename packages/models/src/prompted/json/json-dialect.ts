import type { ToolDefinition } from '@tenon/kernel'
import type { PromptedDialect, WrittenCall } from '../dialect.js'
import { exampleArguments, exampleTools } from '../example-arguments.js'
import { ThinkGate } from '../think-gate.js'
import { TokenHold } from '../token-hold.js'
import { toolList } from '../tool-list.js'
import { readJsonTurn } from './read-json-turn.js'
import { JsonWatcher } from './watch-json.js'

/** Calls as JSON objects in a fence, several in a list; anything else is the answer. */
export const jsonDialect: PromptedDialect = {
  name: 'json',
  stop: ['<tool_response>'],
  keepsThoughts: false,
  instructions,
  writeTurn,
  writeObservation: (tool, text, isError) =>
    `<tool_response>\n${JSON.stringify(isError ? { name: tool, error: text } : { name: tool, content: text })}\n</tool_response>`,
  read: readJsonTurn,
  watch: () => new TokenHold(new ThinkGate(new JsonWatcher())),
}

function writeTurn(thought: string | null, calls: readonly WrittenCall[], answer: string | null): string {
  const parts: string[] = []
  if (thought !== null) parts.push(thought)
  const objects = calls.map(({ name, args, written }) => written ?? JSON.stringify({ name, arguments: args }))
  if (objects.length > 0) parts.push(fenced(objects.length === 1 ? objects.join('') : `[${objects.join(', ')}]`))
  if (answer !== null) parts.push(answer)
  return parts.join('\n\n')
}

const fenced = (json: string): string => `\`\`\`json\n${json}\n\`\`\``

function instructions(tools: readonly ToolDefinition[]): string {
  const [first, second] = exampleTools(tools)
  const call = (tool: ToolDefinition): WrittenCall => ({ name: tool.name, args: exampleArguments(tool) })
  const several = first !== undefined && second !== undefined ? [call(first), call(second)] : []
  return [
    'You can use these tools. Each line is a tool with the JSON Schema of its arguments:',
    toolList(tools),
    [
      'To use a tool, write nothing but one fenced JSON object:',
      '```json\n{"name": "the name of the tool", "arguments": {…}}\n```',
      'For several independent calls write a JSON list of such objects in one fence.',
      'Stop after the fence. The results come in the next message as <tool_response>…</tool_response>. Never write one yourself.',
      'When no tool is needed any more, answer the user in plain text.',
    ].join('\n'),
    'Examples of single turns (the values only show the form):',
    first === undefined ? '' : writeTurn(null, [call(first)], null),
    several.length === 0 ? '' : writeTurn(null, several, null),
    'Here is what I found.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
