import { McpError } from '../errors.js'

export const tooLarge = (name: string, bytes: number, limit: number): McpError =>
  new McpError(
    'mcp-too-large',
    `The answer of ${name} has ${bytes} bytes; the limit is ${limit}. Ask for less, or raise the limit of this server.`,
  )
