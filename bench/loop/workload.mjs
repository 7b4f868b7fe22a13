/**
 * What every subject does: a model that answers at once proposes `parallel` calls of one tool, `steps` times, each with
 * arguments of its own, then says "done". Arguments are validated, one subscriber is attached, nothing is traced.
 *
 * @typedef {{ steps: number, parallel: number }} Workload
 * @typedef {{ run(workload: Workload): Promise<number>, close?(): void }} Subject `run` gives the number of calls that ran
 * @typedef {(options: { journal: 'memory' | 'sqlite', folder: string }) => Promise<Subject>} SubjectFactory
 */

/** What the tool `lookup(query: string, n: integer)` answers. @param {string} query @param {number} n */
export function lookupResult(query, n) {
  return { query, n, found: true }
}
