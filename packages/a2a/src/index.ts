export { Access, type AccessScheme, type Verdict } from './access/access.js'
export { apiKeys, mutualTls, staticBearer } from './access/static-schemes.js'
export { type IntrospectionOptions, introspectedBearer, type JwtOptions, jwtBearer } from './access/token-schemes.js'
export type { TokenEntry } from './access/token-table.js'
export { BUDGET_DECLARATION, BUDGET_EXTENSION } from './budget/budget-extension.js'
export type { AgentCard, CardInterface, CardSkill } from './card-client/agent-card.js'
export type { FetchedCard } from './card-client/card-client.js'
export type { CardVerdict, TrustedKey } from './card-client/verify-card.js'
export { verifyCard } from './card-client/verify-card.js'
export type { AgentCapabilities, AgentFacts, AgentSkillFacts } from './cards/agent-facts.js'
export { CardSigner } from './cards/card-signer.js'
export { A2A_ERRORS, A2AError, type A2AErrorCode } from './errors.js'
export { DELIVERY, type Deliverable, deliverableOf, deliverableValue } from './mapping/deliverable.js'
export { failureText } from './mapping/failure-text.js'
export { isMemory, memoryBlock } from './mapping/memory-block.js'
export { TaskFold } from './mapping/task-fold.js'
export type {
  WireArtifact,
  WireEvent,
  WireMessage,
  WirePart,
  WirePushConfig,
  WireState,
  WireStatus,
  WireTask,
} from './mapping/wire-types.js'
export { type DelegateOptions, delegateTool } from './peer/delegate-tool.js'
export { Delegation } from './peer/delegation.js'
export type { DelegationHandle } from './peer/delegation-handle.js'
export { type DelegationToolOptions, delegationTools } from './peer/delegation-tools.js'
export type { PartArgument, ReadArtifact } from './peer/out-parts.js'
export { Peer, type PeerConfig, type PeerLink } from './peer/peer.js'
export { isPeerError, PEER_ERRORS, PeerError, type PeerErrorCode } from './peer/peer-error.js'
export { PEER_LIMITS, type PeerLimits } from './peer/peer-limits.js'
export { type PeerQuestion, questionIn } from './peer/peer-question.js'
export { Peers } from './peer/peers.js'
export { PushInbox, type PushInboxOptions } from './peer/push-inbox.js'
export type { OutMessage, OutPart } from './peer/wire/dialect.js'
export { PushDesk, type PushDeskOptions } from './push/push-desk.js'
export { PushSender, type PushSenderOptions } from './push/push-sender.js'
export { SecretSeal } from './push/secret-seal.js'
export { A2AEndpoint, type EndpointOptions } from './server/a2a-endpoint.js'
export { A2ASite, type A2ASiteOptions } from './server/a2a-site.js'
export { ANONYMOUS, type Caller, principalOf } from './tasks/caller.js'
export { DELIVER, deliverTool } from './tasks/deliver-tool.js'
export { type ExposedAgent, TASK_LIMITS, type TaskLimits } from './tasks/exposed-agent.js'
export { TaskKeeper, type TaskKeeperOptions } from './tasks/task-keeper.js'
export { TaskService } from './tasks/task-service.js'
