export { isMcpError, MCP_ERRORS, McpError, type McpErrorCode, rpcDetail, rpcError } from './errors.js'
export { DIAGNOSTICS, type DiagnosticCode } from './upstream/diagnostic.js'
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
