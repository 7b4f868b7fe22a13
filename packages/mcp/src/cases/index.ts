export type { CaseReport } from './case-report.js'
export { type McpCasesOptions, runMcpCases } from './run-mcp-cases.js'
