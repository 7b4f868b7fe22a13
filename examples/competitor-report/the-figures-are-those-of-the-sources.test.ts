import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')
const written = read('rehearsal.yaml')

/** The cells of each row of a Markdown table. */
const rows = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => /^\s*\| /.test(line) && !/^\s*\| *:?-/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

test('the deals that the report names are those of the database', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(read('servers/crm.sql'))
  const [sum] = database
    .prepare(`SELECT SUM(value_eur) AS value FROM deals WHERE competitor = 'Meridian Kinetics' AND outcome = 'lost'`)
    .all() as { value: number }[]
  expect(written).toContain(`worth EUR ${((sum?.value ?? 0) / 1e6).toFixed(2)} million`)
  database.close()
})

test('prices and tenders are those of the knowledge base', () => {
  const [, ours = '', theirs = ''] =
    /\| list price +\| EUR ([\d,]+) +\| EUR ([\d,]+)/.exec(read('knowledge/product-comparison.md')) ?? []
  const euros = (text: string): number => Number(text.replace(',', ''))
  expect(written).toContain(`listed ${((1 - euros(theirs) / euros(ours)) * 100).toFixed(1)} % lower`)
  const notices = rows(read('knowledge/tenders-2026.md')).slice(1)
  expect(rows(written).filter(([notice]) => /^2026-N-/.test(notice ?? ''))).toEqual(notices)
  expect(notices.filter(([, , , winner]) => winner === 'Larkspur')).toHaveLength(2)
  expect(notices).toHaveLength(4)
})
