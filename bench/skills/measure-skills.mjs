// Runs in a process of its own, so that the first load is a cold one. Prints one JSON object.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogueOf, SkillIndex, SkillLibrary } from '@tenon/skills'
import { median } from '../bench-contract.mjs'

const folder = process.argv[2] ?? ''
const library = new SkillLibrary([{ path: folder, scope: 'user', trusted: true }])

/** @param {() => unknown} work */
async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const cold = await timed(() => library.load())
const warm = []
for (let time = 0; time < 9; time += 1) warm.push(await timed(() => library.load()))
const reload = []
for (let time = 0; time < 15; time += 1) {
  const changed = join(folder, `made-${1_000 + time}`, 'SKILL.md')
  writeFileSync(changed, `${readFileSync(changed, 'utf8')}\nOne line more.\n`)
  reload.push(await timed(() => library.changed(changed)))
}

/** @type {[string, string][]} */
const queries = JSON.parse(readFileSync(new URL('./queries.json', import.meta.url), 'utf8'))
const { skills } = library.current
const index = new SkillIndex(skills.filter(({ modelVisible }) => modelVisible))
const missed = queries.filter(([query, name]) => !index.search(query, 5).some(({ skill }) => skill.name === name))
const catalogue = catalogueOf(skills, { budget: 4_000, index })

process.stdout.write(
  JSON.stringify({
    count: skills.length,
    cold,
    warm: median(warm),
    reload: median(reload),
    recall: 1 - missed.length / queries.length,
    missed: missed.map(([query]) => query),
    tokens: catalogue?.tokens,
  }),
)
