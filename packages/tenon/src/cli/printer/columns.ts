// Wide and full-width letters and emoji (Unicode 16, East Asian Width W and F), and marks that take no column.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const NONE = /\p{Mn}|\p{Me}|\u200d|[\ufe00-\ufe0f]/u

/** How many columns a text takes in a terminal. */
export function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const letter of text) width += NONE.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1
  return width
}

/** As much of a text as fits, with `…` where something is missing. */
export function fit(text: string, width: number): string {
  if (columns(text) <= width) return text
  let kept = ''
  let used = 1
  for (const letter of text) {
    used += columns(letter)
    if (used > width) break
    kept += letter
  }
  return `${kept}…`
}
