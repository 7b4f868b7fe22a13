import { isCode } from './house-files.mjs'

const MOST_LINES = 500

/** Files that are one table, or one visitor: cutting them would not make them easier to read. */
const TABLES = new Set(/** @type {string[]} */ ([]))

/**
 * @param {readonly import('./house-files.mjs').HouseFile[]} files
 * @returns {import('./violation.mjs').Violation[]}
 */
export function fileLength(files) {
  return files
    .filter((file) => isCode(file.path) && !TABLES.has(file.path))
    .map((file) => ({ file: file.path, lines: file.read().split('\n').length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ file, lines }) => ({
      file,
      line: MOST_LINES + 1,
      message: `${lines} lines, ${MOST_LINES} are the most: split it by idea`,
    }))
}
