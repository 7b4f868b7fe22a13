import type { Rule } from '../rule.js'

export const serverDoesNotAnswer: Rule = {
  id: 'server-does-not-answer',
  severity: 'error',
  title: 'An MCP server does not answer',
  reason: 'Runs begin without its tools. They join when it comes, which may be in the middle of a run or never.',
  fix: 'tenon mcp inspect --server NAME opens it by itself; tenon mcp list --log shows what it wrote. A server that is only slow needs a longer mcp.wait; one that nobody needs, enabled: false.',
  look: ({ servers }) =>
    servers
      .filter(({ state }) => state !== 'ready')
      .map(({ name, error }) => ({
        where: `mcp.servers.${name}`,
        text: error === undefined ? 'it was not ready in time' : `${error.message} [${error.code}]`,
      })),
}
