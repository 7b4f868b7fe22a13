import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Skills that are searched for, by name and description. @type {[string, string][]} */
const DESCRIBED = JSON.parse(readFileSync(new URL('./described.json', import.meta.url), 'utf8'))

const VERBS = ['Checks', 'Writes', 'Plans', 'Sorts', 'Reviews', 'Converts', 'Explains', 'Lists', 'Counts', 'Translates']
const THINGS =
  'contracts invoices letters reports slides tickets logs schemas recipes routes budgets surveys minutes drawings forms photos songs tests tables charts'.split(
    ' ',
  )
const FIELDS =
  'a school,a hospital,a shop,a farm,a library,an airport,a lab,a hotel,a bakery,a law office,a museum,a warehouse,a theatre,a bank,a city'.split(
    ',',
  )
const BODY =
  'Look at what is there first, take one step after the other, and say at the end what was done and what was not.\n'

/**
 * Fills a folder with skills as people have them: short and long bodies, some with files beside them, with keys outside
 * the standard, with YAML that has to be recovered. The same ones every time.
 *
 * @param {string} folder
 * @param {number} count
 */
export function makeSkills(folder, count) {
  for (const [at, [name, description]] of DESCRIBED.entries())
    write(join(folder, `described-${at}`), name, JSON.stringify(description), at)
  for (let at = DESCRIBED.length; at < count; at += 1) {
    const verb = VERBS[at % VERBS.length]
    const thing = THINGS[Math.floor(at / 7) % THINGS.length]
    const field = FIELDS[Math.floor(at / 3) % FIELDS.length]
    // One in seventy writes a colon without quotes, as it was measured on real ones.
    const when = at % 70 === 0 ? 'Use when: ' : 'Use it when '
    write(
      join(folder, `made-${at}`),
      `made-${at}`,
      `${verb} ${thing} for ${field}. ${when}${thing} of kind ${at} come in.`,
      at,
    )
  }
}

/** @param {string} folder @param {string} name @param {string} description @param {number} at */
function write(folder, name, description, at) {
  mkdirSync(folder)
  const more = at % 4 === 0 ? `version: 1.${at % 10}.0\nauthor: somebody\n` : ''
  const metadata = at % 4 === 1 ? `metadata: {"host":{"emoji":"x","requires":{"bins":["tool-${at % 9}"]}}}\n` : ''
  const body = `# ${name}\n\n${BODY.repeat(10 + (at % 50))}`
  writeFileSync(
    join(folder, 'SKILL.md'),
    `---\nname: ${JSON.stringify(name)}\ndescription: ${description}\n${more}${metadata}---\n${body}`,
  )
  if (at % 3 !== 0) return
  mkdirSync(join(folder, 'references'))
  writeFileSync(join(folder, 'references', 'more.md'), BODY)
}
