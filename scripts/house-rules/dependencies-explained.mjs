import { lineAt } from './violation.mjs'

const PAGE = 'docs/dependencies.md'
const MANIFEST = /^(?:packages\/[^/]+\/)?package\.json$/
const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
const EXACT = /^(?:npm:(?:@[^/@]+\/)?[^/@]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/

/**
 * Every dependency on others is pinned exactly and has its reason on a page, and the page speaks of no other.
 *
 * @param {readonly import('./house-files.mjs').HouseFile[]} files
 * @returns {import('./violation.mjs').Violation[]}
 */
export function dependenciesExplained(files) {
  const page = files.find(({ path }) => path === PAGE)?.read() ?? ''
  const explained = new Map(
    [...page.matchAll(/^\| (`.+?`) +\|/gm)].flatMap(({ index, 1: cell = '' }) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => /** @type {const} */ ([name, lineAt(page, index)])),
    ),
  )
  /** @type {import('./violation.mjs').Violation[]} */
  const violations = []
  const used = new Set()
  for (const { path, read } of files.filter((file) => MANIFEST.test(file.path))) {
    const text = read()
    const manifest = JSON.parse(text)
    /** @type {[string, string][]} */
    const wanted = KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}))
    for (const [name, version] of wanted) {
      const line = lineAt(text, text.indexOf(`"${name}": "${version}"`))
      if (!EXACT.test(version)) violations.push({ file: path, line, message: `${name} ${version} is no exact version` })
      if (name.startsWith('@tenon/')) continue
      used.add(name)
      if (!explained.has(name)) violations.push({ file: path, line, message: `${name} has no line in ${PAGE}` })
    }
  }
  for (const [name, line] of explained) {
    if (!used.has(name)) violations.push({ file: PAGE, line, message: `${name} is a dependency of no package` })
  }
  return violations
}
