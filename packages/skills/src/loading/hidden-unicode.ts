/**
 * Characters that show nothing and are read all the same: tags, bidirectional controls, zero-width characters. A joiner
 * between two emoji belongs to the picture and stays.
 */
const HIDDEN =
  /[\u{E0000}-\u{E007F}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u200B\u200C\u2060-\u2064\u180E\uFEFF]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<!\uFE0F)\u200D|\u200D(?!\p{Extended_Pictographic})/gu

/** Nothing of it is in most texts, and this is found out much faster. */
const ANY = /[\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uDB40]/

/** The text without what cannot be seen, and how many characters that were. */
export function stripHidden(text: string): { readonly text: string; readonly count: number; readonly at: number } {
  if (!ANY.test(text)) return { text, count: 0, at: -1 }
  let count = 0
  let at = -1
  const kept = text.replace(HIDDEN, (_, ...rest) => {
    if (at < 0) at = rest.find((value): value is number => typeof value === 'number') ?? 0
    count++
    return ''
  })
  return { text: kept, count, at }
}
