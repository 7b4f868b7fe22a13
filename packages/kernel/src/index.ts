export type { Disposition, Policy, PolicyFacts, PolicyRule, Ruling } from './broker/policy.js'
export {
  type ArgumentProblem,
  type ArtifactBlock,
  type Author,
  type Block,
  type ContentBlock,
  type MediaBlock,
  type MediaSource,
  type ModelBlock,
  type OpaqueBlock,
  plainText,
  type Raw,
  type ReasoningBlock,
  type TextBlock,
  type ToolCallBlock,
  type ToolResultBlock,
  type TurnBlock,
  text,
  type UnboundCall,
} from './content/block.js'
export { History } from './content/history.js'
export {
  ArtifactId,
  CallId,
  ContextId,
  MessageId,
  RequestId,
  ROOT_SCOPE,
  RunId,
  ScopeId,
  sortableId,
  TurnId,
} from './content/ids.js'
export { canonicalJson, isJsonObject, type Json, type JsonObject } from './content/json.js'
export {
  type AssistantMessage,
  hostMessage,
  type Message,
  type ToolMessage,
  type UserMessage,
  userMessage,
} from './content/message.js'
export { atMost, HOST, leastTrust, type Provenance, type Trust, USER } from './content/provenance.js'
export type { Agent } from './engine/agent.js'
export type { Engine, SubmitOptions } from './engine/engine-api.js'
export type { LiveItem } from './engine/live.js'
export {
  type ErrorOptions,
  type ErrorRecord,
  type ErrorTable,
  type ErrorTraits,
  errorRecord,
  isTenonError,
  TenonError,
} from './errors/error-table.js'
export { KERNEL_ERRORS, KernelError, type KernelErrorCode } from './errors/kernel-errors.js'
export { blockTokens, estimateTokens, messageTokens } from './ledger/estimate.js'
export type { FramePart } from './ledger/frame.js'
export type {
  ManifestEntry,
  PartKind,
  PartRecord,
  Pressure,
  Rewrite,
  RewriteTarget,
  ViewManifest,
} from './ledger/part.js'
export { memoryArtifacts } from './memory/memory-artifacts.js'
export { memoryGrants } from './memory/memory-grants.js'
export { memoryInbox } from './memory/memory-inbox.js'
export { memoryJournal } from './memory/memory-journal.js'
export { memoryLeases } from './memory/memory-leases.js'
export type { Command, HostStep, Planner, ViewSpec } from './planner/command.js'
export type { ArtifactMeta, Artifacts } from './ports/artifacts.js'
export type { Clock } from './ports/clock.js'
export type { Grants, Inbox, InboxItem, Journal, Leases } from './ports/journal.js'
export { isPromise, type MaybePromise } from './ports/maybe-promise.js'
export type {
  Finish,
  Model,
  ModelContext,
  ModelEvent,
  ModelRequest,
  ModelSettings,
  Prices,
  ToolChoice,
  ToolDefinition,
  Usage,
} from './ports/model.js'
export type { Checked, Schema, SchemaCompiler, SchemaProblem } from './ports/schema.js'
export type { CallContext, Effect, HandEvent, HandResult, InputNeed, NeedAnswer, Origin, Tool } from './ports/tool.js'
export type {
  ApprovalAnswer,
  ArgumentPattern,
  Grant,
  InputKind,
  InputRequest,
  Limits,
  Outcome,
  Proposal,
  Purpose,
  RunEvent,
  RunEventBody,
  RunEventOf,
  RunStateName,
  Submission,
  TerminalState,
} from './run/events.js'
export {
  type CallState,
  type OpenInput,
  RunState,
  type ScopeState,
  type StepState,
  type TurnState,
} from './run/state.js'
