import { posix } from 'node:path'
import { isCode } from './house-files.mjs'

/** Names that say nothing about what is inside. */
const EMPTY_WORDS = /(?:^|-)(?:utils?|helpers?|common|misc|shared|stuff)(?:-|$)/

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Files are named as what they export, in kebab-case. A test stands in the folder of what it tests, or in the
 * package's `test/`, and is named after the behaviour that it holds, so that the listing reads as the specification.
 *
 * @param {readonly import('./house-files.mjs').HouseFile[]} files
 * @returns {import('./violation.mjs').Violation[]}
 */
export function fileNames(files) {
  const code = files.map((file) => file.path).filter(isCode)
  const paths = new Set(code)
  return code.flatMap((path) => {
    const message = objection(path, paths)
    return message === undefined ? [] : [{ file: path, line: 1, message }]
  })
}

/**
 * @param {string} path
 * @param {ReadonlySet<string>} paths
 */
function objection(path, paths) {
  const folder = posix.dirname(path)
  const [stem = '', ...endings] = posix.basename(path).split('.')
  const parts = [...folder.split('/').filter((part) => part !== '.' && part !== '.ci'), stem]
  const wrong = parts.find((part) => !KEBAB.test(part))
  if (wrong !== undefined) return `${wrong} is not kebab-case`
  const empty = parts.find((part) => EMPTY_WORDS.test(part))
  if (empty !== undefined) return `${empty} says nothing about what is inside: name the idea`
  if (endings[0] !== 'test') return undefined
  if (paths.has(`${folder}/${stem}.${endings.slice(1).join('.')}`)) {
    return `a test is named after a behaviour or a symptom, not after ${stem}`
  }
  if (!stem.includes('-')) return `a test is named after a behaviour or a symptom: ${stem} names none`
  return undefined
}
