/** The tool that a written name means. */
export type NameReading =
  | { readonly kind: 'tool'; readonly name: string; readonly normalised: boolean }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }

/** Nothing longer is a name. */
const LONGEST = 512
const PREFIX = /^(?:functions|function|tools|tool|default_api)[.:]/

const unquoted = (name: string): string => name.replace(/^[\s"'`*“”]+|[\s"'`*“”]+$/g, '')
const lower = (name: string): string => name.toLowerCase()
const joined = (name: string): string => name.replace(/::|[./_-]/g, '_')

/** In this order; the first one that any tool fits decides. */
const STEPS: readonly ((name: string) => string)[] = [(name) => name, lower, joined, (name) => joined(lower(name))]

/**
 * The exact name wins. Else quotes, template tokens, an index and a namespace come off, and then letters' case and the
 * separators are overlooked, as long as one tool alone fits. A near name is never guessed.
 */
export function resolveName(written: string, offered: readonly string[]): NameReading {
  if (offered.includes(written)) return { kind: 'tool', name: written, normalised: false }
  if (written.length > LONGEST) return { kind: 'unknown' }
  const bare = unquoted(unquoted(written).replace(/<.*$/s, '').replace(/:\d+$/, ''))
  const short = unquoted(bare.replace(PREFIX, ''))
  for (const step of STEPS) {
    for (const form of short === bare ? [bare] : [short, bare]) {
      const wanted = step(form)
      const fits = offered.filter((name) => step(name) === wanted)
      const [only] = fits
      if (fits.length === 1 && only !== undefined) return { kind: 'tool', name: only, normalised: true }
      if (fits.length > 1) return { kind: 'ambiguous', candidates: fits }
    }
  }
  return { kind: 'unknown' }
}
