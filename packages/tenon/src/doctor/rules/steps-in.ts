/** How many numbered steps a text has, one below the other or one behind the other; they count from 1. */
export function stepsIn(text: string): number {
  let next = 1
  for (const [, number] of text.matchAll(/(?:^|[\s:;,.(：；，。（])(?:step\s+)?(\d{1,2})(?:[.):]\s+|[、．]\s*)\S/gi))
    if (Number(number) === next) next++
  return next - 1
}
