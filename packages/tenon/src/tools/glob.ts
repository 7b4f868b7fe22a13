import { HostError } from '../errors.js'

const LONGEST = 200
const MOST_STARS = 8

/**
 * `*` any characters but `/`, `**` any folders, `?` one character, `{a,b}` either. A glob without `/` is matched with
 * the name alone. Case counts.
 * @throws HostError `pattern-invalid`
 */
export function globMatcher(glob: string): (path: string) => boolean {
  if (glob === '' || glob.length > LONGEST || (glob.match(/\*+/g) ?? []).length > MOST_STARS)
    throw new HostError(
      'pattern-invalid',
      `${JSON.stringify(glob.slice(0, 80))} is no usable file pattern: 1 to ${LONGEST} characters, at most ${MOST_STARS} stars.`,
    )
  const expression = new RegExp(`^${translate(glob)}$`, 'u')
  if (glob.includes('/')) return (path) => expression.test(path)
  return (path) => expression.test(path.slice(path.lastIndexOf('/') + 1))
}

function translate(glob: string): string {
  let open = 0
  const parts = glob.replace(/^\.?\//, '').match(/\*\*\/|\*+|\?|[{},]|[^*?{},]+/g) ?? []
  const translated = parts.map((part) => {
    if (part === '**/') return '(?:[^/]+/)*'
    if (part === '**') return '.*'
    if (part.startsWith('*')) return '[^/]*'
    if (part === '?') return '[^/]'
    if (part === '{') {
      open++
      return '(?:'
    }
    if (part === '}' && open > 0) {
      open--
      return ')'
    }
    if (part === ',' && open > 0) return '|'
    return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return translated.join('') + ')'.repeat(open)
}
