import { createHash } from 'node:crypto'

const MOST = 64
const DIGEST = 8
const BETWEEN = '__'

/**
 * The name that a model is shown for a tool of a server: letters, digits, `_` and `-`, at most 64 of them. It depends
 * on nothing but the two names, so it never changes with the neighbours; what had to be changed or could be mistaken
 * for another name ends in a digest of both.
 */
export function shownName(server: string, tool: string): string {
  const plain = `${server}${BETWEEN}${tool}`
  if (isClear(server) && isPlain(tool) && plain.length <= MOST && !looksDigested(plain)) return plain
  const digest = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, DIGEST)
  const head = `${tame(server)}${BETWEEN}${tame(tool)}`.slice(0, MOST - DIGEST - 1)
  return `${head}_${digest}`
}

/** True where a person would look for the tool under another name: it was cut, or lost more than accents. */
export const isRenamed = (tool: string, shown: string): boolean =>
  tool.length > MOST || (!shown.endsWith(tool) && /[^\p{L}\p{N}_-]/u.test(tool))

const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name)
/** The first `__` must be the one between server and tool. */
const isClear = (server: string): boolean => isPlain(server) && !server.includes(BETWEEN) && !server.endsWith('_')
const looksDigested = (name: string): boolean => /_[0-9a-f]{8}$/.test(name)
const tame = (name: string): string => name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_')
