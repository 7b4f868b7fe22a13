/** Kept here as well, so that reading a configuration does not load the client. */
export const PEER_TOOL_NAMES = ['delegate', 'check_delegation', 'answer_delegation', 'cancel_delegation'] as const
