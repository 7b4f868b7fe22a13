import { createHash } from 'node:crypto'

/**
 * Names a message to a task after its caller's key, wherever it is: on its way in the inbox, and in the journal. So a
 * message that is repeated is known, whatever process died over it.
 */
export const sendMark = (principal: string, key: string): string =>
  `a2a-${createHash('sha256').update(`${principal}\n${key}`).digest('hex').slice(0, 32)}`
