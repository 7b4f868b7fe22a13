import { lineAt } from './violation.mjs'

/**
 * What is true on one machine only. The words are put together here, so that this file keeps the rule too.
 *
 * @type {readonly { pattern: RegExp, what: string }[]}
 */
const PRIVATE = [
  { pattern: new RegExp(`/${'work'}/(?:main|shared|\\.)`, 'g'), what: 'a path of one machine' },
  { pattern: new RegExp(`/${'root'}/`, 'g'), what: 'a path of one machine' },
  { pattern: new RegExp(`/${'tmp'}/(?:briefs|bash_jobs|npm)`, 'g'), what: 'a path of one machine' },
  {
    pattern: new RegExp(
      [
        ['registry', 'npmjs', 'org'],
        ['registry', 'yarnpkg', 'com'],
        ['npmmirror', 'com'],
        ['pypi', 'org'],
        ['pythonhosted', 'org'],
        ['crates', 'io'],
        ['proxy', 'golang', 'org'],
        ['repo1?', 'maven'],
        ['deb', 'debian', 'org'],
      ]
        .map((parts) => parts.join('\\.'))
        .join('|'),
      'g',
    ),
    what: 'the host of a registry',
  },
]

const BINARY = /\.(?:png|jpe?g|gif|webp|ico|gguf|zip|gz|wasm|woff2?|db|sqlite)$/

/**
 * @param {readonly import('./house-files.mjs').HouseFile[]} files
 * @returns {import('./violation.mjs').Violation[]}
 */
export function privateWords(files) {
  /** @type {import('./violation.mjs').Violation[]} */
  const violations = []
  for (const file of files) {
    if (BINARY.test(file.path)) continue
    const text = file.read()
    for (const { pattern, what } of PRIVATE) {
      for (const match of text.matchAll(pattern)) {
        violations.push({
          file: file.path,
          line: lineAt(text, match.index),
          message: `${match[0]} is ${what}: it has no place in a tracked file`,
        })
      }
    }
  }
  return violations
}
