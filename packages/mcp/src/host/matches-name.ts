/** True when one of the patterns covers the name; `*` stands for any characters. */
export function matchesName(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => expression(pattern).test(name))
}

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
      .join('.*')}$`,
    'su',
  )
