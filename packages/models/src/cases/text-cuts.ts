/** Numbers that look random and are the same every time. */
function* numbers(seed: number): Generator<number> {
  let state = seed >>> 0 || 1
  for (;;) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    yield (state >>> 0) / 2 ** 32
  }
}

function pieces(text: string, seed: number, longest: number): string[] {
  const parts: string[] = []
  const random = numbers(seed)
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random.next().value * longest)
    parts.push(text.slice(at, at + length))
    at += length
  }
  return parts
}

/** A text whole, in single UTF-16 units (which splits surrogate pairs) and in pieces of many lengths. */
export function textCuts(text: string): readonly (readonly string[])[] {
  return [[text], text.split(''), pieces(text, 7, 3), pieces(text, 11, 9), pieces(text, 13, 40)]
}
