/** A generator of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const DICTIONARY: readonly string[] = [
  '---',
  '---js',
  '--- yaml',
  '\n---\n',
  ': ',
  ' #',
  '\t',
  '&a ',
  '*a',
  '&a [*a,*a,*a,*a,*a,*a,*a,*a,*a]',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '|',
  '>-',
  '? ',
  '- ',
  '@',
  '`',
  '%TAG ! tag:x,2000:',
  "!!js/function \"function(){ require('fs').writeFileSync('ran.txt', '') }\"",
  '!!binary aGVsbG8=',
  '<<: *a',
  '__proto__: 1',
  'constructor: x',
  'name: other',
  'description:',
  'allowed-tools: [a, b]',
  'metadata: {"a": {"b": 1}}',
  '<<<<<<< HEAD\n',
  '=======\n',
  '>>>>>>> main\n',
  '\uFEFF',
  '\u200B',
  '\u202E',
  '\u{E0041}',
  '\u{1F469}\u200D\u{1F4BB}',
  '\0',
  '\r\n',
  '\r',
  '\u2028',
  '!`touch ran.txt`\n',
  '](../../etc/passwd)',
  '](%E0%A4%A)',
  '[a](b (c',
  '<!--',
  '-->',
  '```\n',
  '../../x',
  '\ud800',
  'x'.repeat(3_000),
  '[['.repeat(500),
  '{a: '.repeat(200),
  '- '.repeat(400),
]

/** One to four changes: signs put in, lines doubled or dropped, pieces of another text, cuts. */
export function mutate(text: string, other: string, random: () => number): string {
  let changed = text
  const at = (): number => Math.floor(random() * (changed.length + 1))
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const place = at()
    switch (Math.floor(random() * 7)) {
      case 0:
      case 1: {
        const word = DICTIONARY[Math.floor(random() * DICTIONARY.length)] ?? ''
        changed = changed.slice(0, place) + word + changed.slice(place)
        break
      }
      case 2:
        changed = changed.slice(0, place) + changed.slice(place + 1 + Math.floor(random() * 8))
        break
      case 3: {
        const lines = changed.split('\n')
        const line = Math.floor(random() * lines.length)
        lines.splice(line, random() < 0.5 ? 1 : 0, ...(random() < 0.5 ? [lines[line] ?? ''] : []))
        changed = lines.join('\n')
        break
      }
      case 4:
        changed = changed.slice(0, place) + String.fromCharCode(Math.floor(random() * 0x3000)) + changed.slice(place)
        break
      case 5:
        changed = changed.slice(0, place) + other.slice(Math.floor(random() * other.length))
        break
      default:
        changed = random() < 0.3 ? changed.slice(0, place) : changed.replaceAll('\n', random() < 0.5 ? '\r\n' : '\n ')
    }
  }
  return changed
}
