import { dependenciesExplained } from './dependencies-explained.mjs'
import { fileLength } from './file-length.mjs'
import { fileNames } from './file-names.mjs'
import { houseFiles } from './house-files.mjs'
import { importArrows } from './import-arrows.mjs'
import { kernelWithoutIo } from './kernel-without-io.mjs'
import { noCircles } from './no-circles.mjs'
import { privateWords } from './private-words.mjs'

const RULES = [importArrows, noCircles, kernelWithoutIo, fileLength, fileNames, privateWords, dependenciesExplained]

/**
 * What `npm run check` holds beyond types, style and unused code. The text forms of a default export, of `export *`
 * and of `any` are biome's.
 *
 * @param {string} root a git checkout
 * @returns {import('./violation.mjs').Violation[]}
 */
export function allHouseRules(root) {
  const files = houseFiles(root)
  return RULES.flatMap((rule) => rule(files))
}
