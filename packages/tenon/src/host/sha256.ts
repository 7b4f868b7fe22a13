import { createHash } from 'node:crypto'
import type { Digest } from '@tenon/kernel'

export const sha256: Digest = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`
