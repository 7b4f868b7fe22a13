import { columns } from './columns.js'

/** Rows in columns as wide as what stands in them, two blanks between. Numbers are not told apart from text. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, columns(cell))
  return rows
    .map((row) => {
      const cells = row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - columns(cell)))
      return `${cells.join('  ').trimEnd()}\n`
    })
    .join('')
}
