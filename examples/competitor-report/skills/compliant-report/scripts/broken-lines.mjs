/** @typedef {{ line: number, rule: number, found: string, advice: string }} Broken */

/** What must not stand anywhere, by red line. Each pattern finds the words to show. */
const WORDS = [
  {
    rule: 2,
    pattern:
      /\b(?:unsafe|dangerous|inferior|shoddy|dishonest|cheats?|fraud(?:ulent)?|junk|desperate|bankrupt)\b|劣质|山寨|骗局/gi,
    advice: 'Say the fact with its source instead.',
  },
  {
    rule: 3,
    pattern:
      /\b(?:the best|the worst|always|never|guaranteed|all customers|no customer|market leader|unbeatable)\b|最好|最差|唯一/gi,
    advice: 'Give the figure instead.',
  },
  {
    rule: 4,
    pattern:
      /\b(?:match|follow|undercut|align (?:with )?)\s+(?:their|its|the competitor's)\s+prices?\b|\bagree(?:d|ment)? (?:with \w+ )?on prices?\b|\bdivid\w+ (?:the )?(?:markets?|customers)\b/gi,
    advice: 'Leave it out: prices of others are not ours to act on.',
  },
  {
    rule: 5,
    pattern: /[\w.+-]+@[\w-]+\.[\w.]{2,}|\+\d[\d ()/-]{7,}\d/g,
    advice: 'Leave the address or number out.',
  },
]

const TAINTED =
  /\b(?:former employee|ex-employee|not public|confidential|under nda|leaked|anonymous|overheard|rumou?r|grade c)\b|前员工|内部泄露/i
const CLASSES = /\b(?:public|internal|research)\b/i
const FUTURE = /\b(?:will|is going to)\b|将会/i
const SAID_SO = /\b(?:we estimate|plans?|planned|announced|says|said|according to)\b/i
/** Dates, marks, numbers of a list and names such as MK-600 are no figures. */
const NO_FIGURE =
  /red line \d|\[\^[^\]]+\]|^\s*\d+[.)]\s|\b(?:19|20)\d\d(?:-(?:\d\d(?:-\d\d)?|Q\d))?\b|\b[A-Z][A-Za-z]*-?\d+\b/g
const MARK = /\[\^[^\]]+\]/

/** @param {string} text @returns {Broken[]} */
export function brokenLines(text) {
  /** @type {Broken[]} */
  const broken = []
  for (const { line, kind, text: said } of passages(text)) {
    const add = (rule, found, advice) => broken.push({ line, rule, found: found.trim().slice(0, 80), advice })
    if (kind === 'source') {
      const tainted = TAINTED.exec(said)
      if (tainted) add(1, tainted[0], 'Leave the claim and this source out; "What was left out" names its class only.')
      else if (!CLASSES.test(said)) add(1, said, 'Say of which class it is: public, internal or research.')
      continue
    }
    for (const { rule, pattern, advice } of WORDS)
      for (const [found] of said.matchAll(pattern)) add(rule, found, advice)
    if (kind !== 'claim') continue
    if (/\d/.test(said.replaceAll(NO_FIGURE, '')) && !MARK.test(said))
      add(6, said, 'A figure without the mark of its source.')
    for (const sentence of said.split(/(?<=[.!?。])\s*/))
      if (FUTURE.test(sentence) && !SAID_SO.test(sentence)) add(7, sentence, 'Say who plans it, or "we estimate".')
  }
  return broken
}

/**
 * Paragraphs and items as `claim`, sources as `source`; headings, tables, charts and the masthead as `other`.
 * @param {string} text @returns {{ line: number, kind: 'claim' | 'source' | 'other', text: string }[]}
 */
function passages(text) {
  const found = []
  let fenced = false
  let open
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const fence = line.startsWith('```')
    if (fence) fenced = !fenced
    const kind =
      fence || fenced || /^(?:#|\||>)/.test(line) ? 'other' : /^\[\^[^\]]+\]:/.test(line) ? 'source' : 'claim'
    const goesOn = kind === 'claim' && open !== undefined && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line)
    if (line.trim() === '') open = undefined
    else if (goesOn) open.text += ` ${line.trim()}`
    else {
      const passage = { line: index + 1, kind, text: line }
      found.push(passage)
      open = kind === 'other' ? undefined : passage
    }
  }
  return found
}
