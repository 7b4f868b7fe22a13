import { PeerError } from '../peer-error.js'
import type { PeerLimits } from '../peer-limits.js'

export const notA2a = (peer: string): PeerError =>
  new PeerError('peer-protocol-error', `What ${peer} answered is no A2A.`, { mayHaveRun: true })

export function tooLarge({ peer, limits }: { readonly peer: string; readonly limits: PeerLimits }): PeerError {
  const most = Math.round(limits.responseBytes / (1024 * 1024))
  return new PeerError('peer-response-too-large', `${peer} answered with more than ${most} MB; it was not read.`)
}
