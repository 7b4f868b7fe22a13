/** Words that say nothing about what a skill is for. */
const STOP = new Set(
  'a an and are as at be by for from how i in into is it its me my of on or our so that the then there this to up use used user uses using want wants we when with you your please can could would should do does'.split(
    ' ',
  ),
)
/** Scripts that write no blanks between words: two signs in a row serve as one. */
const NO_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** A text as words to search by: lower case, without endings; pairs of signs where there are no blanks. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const [run] of text
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    if (NO_BLANKS.test(run)) {
      const signs = [...run]
      if (signs.length === 1) words.push(run)
      for (let index = 0; index + 1 < signs.length; index++) words.push(`${signs[index]}${signs[index + 1]}`)
    } else if (!STOP.has(run)) words.push(stem(run))
  }
  return words
}

const ENDINGS = ['ations', 'ation', 'ings', 'ing', 'ies', 'ied', 'ers', 'er', 'ed', 'es', 'e', 's', 'y'] as const

/** Takes the usual English endings off, so that "reviewing" meets "review". Three letters stay at least. */
function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  for (const ending of ENDINGS)
    if (word.endsWith(ending) && word.length - ending.length >= 3) {
      const root = word.slice(0, -ending.length)
      return /([bdgklmnprt])\1$/.test(root) ? root.slice(0, -1) : root
    }
  return word
}
