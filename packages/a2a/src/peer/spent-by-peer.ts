import type { Amounts, CallId, HandResult } from '@tenon/kernel'
import { believedSpending } from '../budget/believed-spending.js'
import type { Peer, PeerLink } from './peer.js'
import type { TaskView } from './task-view.js'

/** A call that gave work away without waiting; what is set aside for it stays so until somebody joins the work. */
export type JoinedCall = {
  readonly callId: CallId
  readonly budget: Amounts | undefined
  /** Nobody has joined it yet. */
  readonly isOpen: boolean
}

/** What a task used of a budget. Of a peer that knows nothing of budgets nothing is counted: it was promised none. */
export function spentByPeer(peer: Peer, link: PeerLink, view: TaskView, budget: Amounts | undefined): Amounts {
  return link.budgets ? believedSpending(view.spent, budget, peer.trust) : {}
}

/** The result of a call that joins a task: once the task has ended, its account is settled with it. */
export function settling(
  result: HandResult,
  peer: Peer,
  link: PeerLink,
  view: TaskView,
  joins: JoinedCall,
): HandResult {
  if (!view.ended || !joins.isOpen) return result
  return { ...result, spent: spentByPeer(peer, link, view, joins.budget), settles: joins.callId }
}
