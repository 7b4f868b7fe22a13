/** @param {readonly Uint8Array[]} parts */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** @param {string} text of characters below 256, one byte each */
export const bytesOfText = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Four hexadecimal digits for each unit of UTF-16. @param {string} text */
export const utf16Hex = (text) =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')
