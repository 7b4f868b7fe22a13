/** Takes out of a text what must not leave the host. */
export type Redact = (text: string) => string

/** What secrets look like: keys of well-known makers, bearer tokens, passwords in URLs and assignments, private keys. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, '[secret]'],
  [/\b(?:gh[pousr]_|github_pat_|xox[abprs]-|glpat-|AKIA|AIza)[A-Za-z0-9_-]{12,}/g, '[secret]'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g, '[secret]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._-]{12,}/gi, '$1 [secret]'],
  [/([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]+:)[^\s@/]+(@)/gi, '$1[secret]$2'],
  [/\b((?:api[_-]?key|secret|token|password|passwd|authorization)["']?\s*[:=]\s*["']?)[^\s"',;&]{6,}/gi, '$1[secret]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[secret]'],
]

const STACK_LINE = /\n[^\S\n]+at\s[^\n]*/g
/** Absolute paths of POSIX and Windows; the last name stays, because that is what a reader needs. */
const PATHS = /(?<![\w:/.])(?:\/(?:[\w.@+-]+\/)+|[A-Za-z]:\\(?:[^\\\s"']+\\)+)([\w.@+-]*)/g

/** Takes nothing out: no secrets are known. */
export const KEEP: Redact = (text) => text

/** `values` are secrets that the host knows, replaced wherever they stand. */
export function redactor(values: readonly string[] = []): Redact {
  const known = values.filter((value) => value.length >= 6).sort((a, b) => b.length - a.length)
  if (known.length === 0) return KEEP
  return (text) => {
    let clean = text
    for (const value of known) if (clean.includes(value)) clean = clean.replaceAll(value, '[secret]')
    return clean
  }
}

/** The text of a foreign error, fit for a model: no stack, no absolute path, nothing that looks like a secret. */
export function harmless(message: string, redact: Redact): string {
  const known = redact(message)
  const read = wholeWords(known, MOST_READ)
  let clean = read.replace(STACK_LINE, '')
  for (const [pattern, instead] of SECRETS) clean = clean.replace(pattern, instead)
  clean = clean.replace(PATHS, '$1').trim()
  return clean.length > MAX_MESSAGE || read.length < known.length ? `${clean.slice(0, MAX_MESSAGE)}…` : clean
}

const MAX_MESSAGE = 2000
/** What a tool throws may be of any length and shape, and there are texts that take the patterns long. */
const MOST_READ = 20_000

/** The beginning of a text; half a secret at its end would look like none. */
function wholeWords(text: string, most: number): string {
  if (text.length <= most) return text
  let end = most
  while (end > 0 && /\S/.test(text.charAt(end))) end--
  return text.slice(0, end)
}
