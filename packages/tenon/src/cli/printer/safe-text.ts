// Control characters, direction marks and invisible letters can make a terminal show something else than what is there.
const UNSAFE =
  /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

const shown = (unsafe: string): string => {
  if (unsafe === '\r\n') return '\n'
  const code = unsafe.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Text of a model, a tool or a peer as it may be shown: line breaks and tabs stay, whatever else acts is escaped. */
export const safeText = (text: string): string => text.replace(UNSAFE, shown)

/** The same for text that comes in pieces: what could still become one character waits for the next piece. */
export function safeStream(): { push(piece: string): string; end(): string } {
  let waiting = ''
  return {
    push(piece) {
      const whole = waiting + piece
      const last = whole.charCodeAt(whole.length - 1)
      const open = last === 0x0d || (last >= 0xd800 && last <= 0xdbff)
      waiting = open ? whole.slice(-1) : ''
      return safeText(open ? whole.slice(0, -1) : whole)
    },
    end() {
      const rest = safeText(waiting)
      waiting = ''
      return rest
    },
  }
}
