import type { TapEntry } from './tap-entry.js'

/** How much of a message one line of the view shows. Characters. */
const SHOWN = 160

/** One line for a person: who said what to whom, about what, and how long it took. Has no control characters. */
export function tapViewLine(entry: TapEntry): string {
  const time = new Date(entry.at).toISOString().slice(11, 23)
  const arrow = entry.from === 'client' ? '→' : '←'
  return `${time} ${arrow} ${words(entry)}`.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}

function words(entry: TapEntry): string {
  const id = entry.id === undefined ? '' : ` #${entry.id}`
  const about = entry.name === undefined ? '' : ` ${entry.name}`
  const size = entry.digest === undefined ? '' : ` (${entry.bytes} bytes, ${entry.digest.slice(0, 12)})`
  switch (entry.kind) {
    case 'request':
    case 'notification':
      return `${entry.method}${id}${about} ${shown(entry)}${size}`
    case 'response': {
      const took = entry.ms === undefined ? '' : ` ${entry.ms} ms`
      return `${entry.method ?? 'response'}${id}${about}${took}${entry.failed ? ' FAILED' : ''} ${shown(entry)}${size}`
    }
    case 'http':
      return `http ${entry.exchange} ${entry.text?.split('\n', 1)[0] ?? ''}`
    case 'exit':
      return entry.signal === undefined ? `ended with ${entry.code}` : `ended by ${entry.signal}`
    case 'stderr':
      return `stderr ${shown(entry)}`
    case 'text':
    case 'invalid':
      return `no message: ${shown(entry)}${size}`
  }
}

function shown({ message, text }: TapEntry): string {
  const payload = message?.replace(/^\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*/, '{') ?? text ?? ''
  return payload.length <= SHOWN ? payload : `${payload.slice(0, SHOWN)}…`
}
