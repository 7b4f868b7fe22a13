import { posix } from 'node:path'
import { isCode, isTest } from './house-files.mjs'
import { moduleReferences } from './module-references.mjs'

/** @typedef {{ to: string, line: number }} Arrow */

/**
 * Sources of a package stand above what they import: none is reached again from there, not by a type either. A type
 * that two files need of each other has a place of its own.
 *
 * @param {readonly import('./house-files.mjs').HouseFile[]} files
 * @returns {import('./violation.mjs').Violation[]}
 */
export function noCircles(files) {
  const sources = files.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && isCode(path) && !isTest(path))
  const known = new Set(sources.map(({ path }) => path))
  /** @type {Map<string, Arrow[]>} */
  const arrows = new Map()
  for (const { path, read } of sources) {
    const found = moduleReferences(path, read()).map(({ specifier, line }) => ({
      to: posix.join(posix.dirname(path), specifier).replace(/\.([cm]?)js$/, '.$1ts'),
      line,
    }))
    arrows.set(
      path,
      found.filter(({ to }) => known.has(to)),
    )
  }
  return circlesOf(arrows)
}

/**
 * Each file is entered once. An arrow to a file that is still being looked into closes a circle.
 *
 * @param {ReadonlyMap<string, readonly Arrow[]>} arrows
 * @returns {import('./violation.mjs').Violation[]}
 */
function circlesOf(arrows) {
  /** @type {import('./violation.mjs').Violation[]} */
  const violations = []
  const done = new Set()
  /** @type {string[]} */
  const way = []
  /** @param {string} file */
  const enter = (file) => {
    way.push(file)
    for (const { to, line } of arrows.get(file) ?? []) {
      const from = way.indexOf(to)
      if (from >= 0) {
        const circle = [...way.slice(from), to].map((path) => posix.basename(path)).join(' -> ')
        violations.push({ file, line, message: `this import closes a circle: ${circle}` })
      } else if (!done.has(to)) enter(to)
    }
    way.pop()
    done.add(file)
  }
  for (const file of arrows.keys()) if (!done.has(file)) enter(file)
  return violations
}
