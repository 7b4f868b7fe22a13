import type { Provenance, Trust } from '@tenon/kernel'

/** What comes out of a file was written by whoever wrote the file. */
export const fileOrigin = (path: string, trust: Trust): Provenance =>
  Object.freeze({ source: 'file', name: path, trust })
