import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { isCode, isTest } from './house-files.mjs'
import { moduleReferences } from './module-references.mjs'

/**
 * Which package may import which. A package that is not listed may not exist.
 *
 * @type {Readonly<Record<string, readonly string[] | 'all'>>}
 */
const ARROWS = {
  '@tenon/kernel': [],
  '@tenon/models': ['@tenon/kernel'],
  '@tenon/store': ['@tenon/kernel'],
  '@tenon/gateway': ['@tenon/kernel', '@tenon/models', '@tenon/store'],
  '@tenon/mcp': ['@tenon/kernel', '@tenon/store'],
  '@tenon/skills': ['@tenon/kernel', '@tenon/store'],
  '@tenon/a2a': ['@tenon/kernel', '@tenon/store'],
  '@tenon/voice': ['@tenon/kernel'],
  '@tenon/console': [],
  tenon: 'all',
}

/** The one that stands on nothing: neither packages nor what the platform has built in. */
const PURE = '@tenon/kernel'

/**
 * Tests may import any package and what tests share; sources keep to the arrows. Nobody reaches into another package
 * by path: a published package has no neighbours.
 *
 * @param {readonly import('./house-files.mjs').HouseFile[]} files
 * @returns {import('./violation.mjs').Violation[]}
 */
export function importArrows(files) {
  /** @type {import('./violation.mjs').Violation[]} */
  const violations = []
  for (const file of files) {
    const folder = /^packages\/([^/]+)\/(?:src|test|bin)\//.exec(file.path)?.[1]
    if (folder === undefined || !isCode(file.path)) continue
    const home = folder === 'tenon' ? 'tenon' : `@tenon/${folder}`
    for (const { specifier, line } of moduleReferences(file.path, file.read())) {
      const message = objection(file.path, folder, home, specifier)
      if (message) violations.push({ file: file.path, line, message })
    }
  }
  return violations
}

/**
 * @param {string} path
 * @param {string} folder
 * @param {string} home
 * @param {string} specifier
 */
function objection(path, folder, home, specifier) {
  const test = isTest(path)
  if (specifier.startsWith('.') || specifier.startsWith('/')) {
    const target = posix.join(posix.dirname(path), specifier)
    if (target.startsWith(`packages/${folder}/`)) return undefined
    if (test && target.startsWith('test-support/')) return undefined
    return `${specifier} leaves the package: import another package by its name`
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const allowed = ARROWS[home]
  if (allowed === undefined) return `${home} is not a room of the house: add it to the import arrows first`
  if (test || name === home) return undefined
  if (name in ARROWS) {
    if (allowed === 'all' || allowed.includes(name)) return undefined
    return `${home} may not import ${name}: ${allowed.length ? `only ${allowed.join(', ')}` : 'it imports no package'}`
  }
  if (home === PURE) return `${home} imports nothing, not even ${specifier}: ask for it through a port`
  if (isBuiltin(specifier) && !specifier.startsWith('node:')) return `write node:${specifier}`
  return undefined
}
