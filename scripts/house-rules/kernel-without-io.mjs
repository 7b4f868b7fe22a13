import { parseSync, Visitor } from 'rolldown/utils'
import { isCode, isTest } from './house-files.mjs'
import { lineAt } from './violation.mjs'

/** The one port whose default is the platform's own. */
const CLOCK = 'packages/kernel/src/ports/clock.ts'

/** What would reach past the ports without an import. Timers are the clock's. */
const FORBIDDEN = new Set([
  'process',
  'Buffer',
  'console',
  'fetch',
  'require',
  'WebSocket',
  'setTimeout',
  'setInterval',
  'setImmediate',
])

/**
 * @param {readonly import('./house-files.mjs').HouseFile[]} files
 * @returns {import('./violation.mjs').Violation[]}
 */
export function kernelWithoutIo(files) {
  /** @type {import('./violation.mjs').Violation[]} */
  const violations = []
  for (const file of files) {
    if (!file.path.startsWith('packages/kernel/src/') || file.path === CLOCK) continue
    if (!isCode(file.path) || isTest(file.path)) continue
    const source = file.read()
    /** @param {{ type: string, name?: unknown, start: number }} node */
    const look = (node) => {
      if (node.type !== 'Identifier' || typeof node.name !== 'string' || !FORBIDDEN.has(node.name)) return
      const message = `the kernel does no I/O of its own: ${node.name} belongs behind a port`
      violations.push({ file: file.path, line: lineAt(source, node.start), message })
    }
    new Visitor({
      CallExpression: (node) => look(node.callee),
      NewExpression: (node) => look(node.callee),
      MemberExpression: (node) => look(node.object),
    }).visit(parseSync(file.path, source).program)
  }
  return violations
}
