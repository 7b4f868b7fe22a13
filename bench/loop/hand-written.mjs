import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { z } from 'zod'
import { lookupResult } from './workload.mjs'

/**
 * The floor: what a person writes in an afternoon. No consent, no limits, no resuming; with `sqlite` it at least writes
 * down each answer before its calls start, and each round of results, in one transaction each.
 *
 * @type {import('./workload.mjs').SubjectFactory}
 */
export async function subject({ journal, folder }) {
  const input = z.object({ query: z.string(), n: z.number().int() })
  const keep = journal === 'sqlite' ? sqliteJournal(join(folder, 'by-hand.db')) : () => {}
  return {
    async run({ steps, parallel }) {
      let calls = 0
      let seen = 0
      const listener = () => {
        seen += 1
      }
      const messages = [{ role: 'user', content: /** @type {unknown} */ ('go') }]
      for (let step = 0; ; step += 1) {
        const answer = await model(step, steps, parallel)
        keep([answer])
        messages.push({ role: 'assistant', content: answer })
        listener()
        if (!answer.calls) break
        const results = await Promise.all(
          answer.calls.map(async ({ id, args }) => {
            const { query, n } = input.parse(JSON.parse(args))
            calls += 1
            return { id, content: JSON.stringify(lookupResult(query, n)) }
          }),
        )
        keep(results)
        for (const result of results) messages.push({ role: 'tool', content: result })
      }
      if (seen !== steps + 1) throw new Error('the subscriber missed something')
      return calls
    },
  }
}

/** @param {number} step @param {number} steps @param {number} parallel */
async function model(step, steps, parallel) {
  if (step >= steps) return { text: 'done' }
  const calls = Array.from({ length: parallel }, (_, index) => {
    const n = step * parallel + index
    return { id: `c${n}`, args: JSON.stringify({ query: 'x', n }) }
  })
  return { calls }
}

/** @param {string} file */
function sqliteJournal(file) {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  database.exec('create table event (seq integer primary key, data text not null)')
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const insert = database.prepare('insert into event (data) values (?)')
  return (/** @type {readonly unknown[]} */ events) => {
    begin.run()
    for (const event of events) insert.run(JSON.stringify(event))
    commit.run()
  }
}
