/**
 * A rule of the house that a file breaks.
 *
 * @typedef {{ file: string, line: number, message: string }} Violation `file` is relative to the root, with slashes;
 * `line` counts from 1
 */

/** @param {string} text @param {number} offset */
export function lineAt(text, offset) {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
