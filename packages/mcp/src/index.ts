export { type CredentialStore, type Credentials, memoryCredentials } from './auth/credentials.js'
export { encryptedCredentials } from './auth/encrypted-credentials.js'
export { enterpriseAssertion, type IdentityProvider } from './auth/enterprise-assertion.js'
export { type LoopbackDesk, loopbackDesk } from './auth/loopback-desk.js'
export { oauthAuth } from './auth/oauth-auth.js'
export type { AuthorizationAnswer, AuthorizationDesk, OAuthOptions } from './auth/oauth-options.js'
export { signInHere } from './auth/sign-in-here.js'
export { toldCredentials } from './auth/told-credentials.js'
export type { BridgeAudit, BridgeDecision, BridgeOptions } from './bridge/bridge-options.js'
export { BridgeService } from './bridge/bridge-service.js'
export { definitionTokens } from './catalogue/definition-tokens.js'
export type { ListKind } from './catalogue/list-pages.js'
export { memoryPins, type PinStore, type ServerPins } from './catalogue/pins.js'
export type { ServerCatalogue, Standing } from './catalogue/server-catalogue.js'
export type { ToolEntry } from './catalogue/tool-entry.js'
export { type KnownServerFile, knownServerFiles } from './config-import/known-server-files.js'
export { type ImportedServer, readServerFile, type ServerFile } from './config-import/read-server-file.js'
export { memoryVerdicts } from './era/verdicts.js'
export { isMcpError, MCP_ERRORS, McpError, type McpErrorCode, rpcDetail, rpcError } from './errors.js'
export type { AutomaticAnswers } from './hand/automatic-answers.js'
export { attachResource } from './host/attach-resource.js'
export { type Completable, completeArgument } from './host/complete-argument.js'
export { completePrompt } from './host/complete-prompt.js'
export type { DeprecatedFeature } from './host/deprecated-feature.js'
export { matchesName } from './host/matches-name.js'
export {
  type HostDiagnostic,
  type HostServer,
  McpHost,
  type McpHostOptions,
  type ServerState,
  TOOL_BUDGET,
} from './host/mcp-host.js'
export type { PromptArgument, PromptInfo } from './host/prompt-info.js'
export {
  promptInfo,
  promptNamed,
  promptOfServer,
  promptsOfServers,
} from './host/prompt-of-server.js'
export { placeWords } from './host/prompt-words.js'
export type { McpServerConfig } from './host/server-config.js'
export { fillTemplate, templateVariables } from './inspect/fill-template.js'
export { type FormField, formFields } from './inspect/form-fields.js'
export { requestInRounds } from './inspect/request-in-rounds.js'
export { blockOfContent, blockOfResource } from './outputs/block-of-content.js'
export type { Authenticated, BearerOptions } from './server/http/bearer.js'
export { type HostGuard, LOCAL_HOSTS } from './server/http/host-guard.js'
export { LOCAL_PRINCIPAL, type McpHttp, type McpHttpOptions, mcpHttp } from './server/http/mcp-http.js'
export { SERVER_LIMITS, type ServerLimits } from './server/server-limits.js'
export type {
  Caller,
  ChangeFilter,
  Follower,
  McpService,
  ServedCall,
  ServiceChange,
  ServiceInfo,
} from './server/service.js'
export { type ServeStdioOptions, serveStdio } from './server/stdio/serve-stdio.js'
export {
  createdTask,
  declaresTasks,
  noTask,
  requireTasks,
  type ServedTask,
  type TaskStatus,
} from './server/tasks/served-task.js'
export { type TaskedOptions, TaskedService, type TaskMode } from './server/tasks/tasked-service.js'
export { connectUpstream } from './supervisor/supervised-upstream.js'
export { DIAGNOSTICS, type DiagnosticCode } from './upstream/diagnostic.js'
export type { LogLevel } from './upstream/log-level.js'
export { lastWords } from './upstream/log-tail.js'
export {
  type EraName,
  type EraVerdicts,
  type FollowFilter,
  type Progress,
  type RequestOptions,
  type ServerRequest,
  type ServerRequestHandler,
  UPSTREAM_LIMITS,
  type Upstream,
  type UpstreamAuth,
  type UpstreamEvent,
  type UpstreamInfo,
  type UpstreamLimits,
  type UpstreamOptions,
  type UpstreamTarget,
} from './upstream/upstream.js'
