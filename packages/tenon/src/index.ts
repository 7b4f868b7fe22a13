export type {
  ApprovalAnswer,
  ContentBlock,
  InputRequest,
  Json,
  JsonObject,
  Limits,
  LiveItem,
  Model,
  ModelEvent,
  ModelRequest,
  Planner,
  Policy,
  PolicyRule,
  RunEvent,
  RunState,
  Tool,
} from '@tenon/kernel'
export { isTenonError, react, TenonError } from '@tenon/kernel'
export { anthropic, fromAiSdk, local, openai, prompted, providerModel } from '@tenon/models'
export { openStore } from '@tenon/store'
export { HOST_ERRORS, HostError, type HostErrorCode } from './errors.js'
export {
  type AgentOptions,
  agent,
  type LibraryAgent,
  type OutputOf,
  type RunOptions,
  type RunStore,
} from './library/agent.js'
export type { AgentRun, RunResult } from './library/agent-run.js'
export type { Approve } from './library/approve.js'
export { rehearsed } from './library/rehearsed.js'
export { RunError } from './library/run-error.js'
export { withJsonSchema } from './schema/standard-schema.js'
export { type BuiltinOptions, builtinTools } from './tools/builtin-tools.js'
export { type ToolOptions, tool } from './tools/tool.js'
