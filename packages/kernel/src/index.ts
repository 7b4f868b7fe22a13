export {
  type ArgumentProblemCode,
  ambiguousTool,
  argumentProblem,
  duplicateKey,
  faultProblem,
  multipleValues,
  notAnObject,
  textAroundJson,
  truncated,
  unknownTool,
  unsafeNumber,
} from './arguments/argument-problem.js'
export { fitToSchema, strictNode } from './arguments/fit-to-schema.js'
export type { JsonListNode, JsonMember, JsonNode, JsonObjectNode, JsonStringNode } from './arguments/json-node.js'
export { isFault, type JsonFault, JsonReader } from './arguments/json-reader.js'
export {
  type ArgumentReading,
  type ArgumentTarget,
  argumentsInNode,
  onlyClosers,
  readArguments,
  readArgumentText,
} from './arguments/read-arguments.js'
export { type Repair, sortedRepairs } from './arguments/repair.js'
export { type NameReading, resolveName } from './arguments/resolve-name.js'
export {
  admitsText,
  declaredFields,
  fieldShape,
  fieldsInWords,
  requiredFields,
  type Shape,
  singleType,
} from './arguments/schema-shape.js'
export { END_TOKENS, fenceClosesAt, fenceOpening, trimmed, withoutFrame } from './arguments/text-frame.js'
export type { ArgumentPattern } from './broker/argument-pattern.js'
export { matchesArguments, matchesText } from './broker/argument-pattern.js'
export { consentBinding, grantCovers, toolDigest } from './broker/consent.js'
export { type Intake, takeIn } from './broker/intake.js'
export { type Disposition, type Policy, type PolicyRule, type Ruling, rule } from './broker/policy.js'
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
export { createEngine } from './engine/engine.js'
export type { Engine, SubmitOptions } from './engine/engine-api.js'
export type { ForkOptions } from './engine/forked-events.js'
export { answerItem, messageIdOf, messageItem } from './engine/inbox-items.js'
export { DEFAULT_STEPS } from './engine/limits.js'
export type { LiveItem } from './engine/live.js'
export { type EnginePorts, TUNING, type Tuning } from './engine/ports.js'
export { type RunAgentOptions, runAgentTool } from './engine/run-agent.js'
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
export { normaliseError } from './errors/normalise-error.js'
export { blockTokens, estimateTokens, messageTokens } from './ledger/estimate.js'
export type { FramePart } from './ledger/frame.js'
export { land, OUTPUT_BOUNDS, type OutputBounds } from './ledger/landing.js'
export { type ManifestEntry, manifestEntries, systemParts, toolParts } from './ledger/manifest.js'
export type { GrownPart, PartRecord, Rewrite, ViewManifest } from './ledger/part.js'
export type { PartKind } from './ledger/part-kind.js'
export { harmless, type Redact, redactor } from './ledger/redact.js'
export { SHARES, type Shares, shareOf } from './ledger/shares.js'
export { Ledger, type View } from './ledger/view.js'
export { memoryArtifacts } from './memory/memory-artifacts.js'
export { memoryGrants } from './memory/memory-grants.js'
export { memoryInbox } from './memory/memory-inbox.js'
export { memoryJournal } from './memory/memory-journal.js'
export { memoryLeases } from './memory/memory-leases.js'
export type { Command, HostStep, Planner, ViewSpec } from './planner/command.js'
export { answerOf, type Patience, react, reactIn } from './planner/react.js'
export type { ArtifactMeta, Artifacts } from './ports/artifacts.js'
export { type Clock, systemClock } from './ports/clock.js'
export type { Digest } from './ports/digest.js'
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
export type {
  CallContext,
  Effect,
  HandEvent,
  HandGrant,
  HandResult,
  InputNeed,
  NeedAnswer,
  Origin,
  Tool,
} from './ports/tool.js'
export { AMOUNT_NAMES, type Amounts } from './run/amounts.js'
export type { CallState, StepState, TurnState } from './run/call-state.js'
export type {
  ApprovalAnswer,
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
export { referencedNames, resolveReferences } from './run/references.js'
export { ScopeState } from './run/scope-state.js'
export { CONSENT, RunState } from './run/state.js'
export { RunTotals } from './run/totals.js'
export { Transcript } from './run/transcript.js'
