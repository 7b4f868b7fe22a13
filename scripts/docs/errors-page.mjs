import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { A2A_ERRORS, PEER_ERRORS } from '@tenon/a2a'
import { KERNEL_ERRORS } from '@tenon/kernel'
import { MCP_ERRORS } from '@tenon/mcp'
import { MODELS_ERRORS } from '@tenon/models'
import { SKILLS_ERRORS } from '@tenon/skills'
import { STORE_ERRORS } from '@tenon/store'
import { HOST_ERRORS } from 'tenon'
import { repoRoot } from '../run-node.mjs'

const HEAD = `# Errors

Every error has a stable code and a message that says the next step; the message may change, the code does not. Programs
read the code (\`--json\`, the run API, \`TenonError.code\`), people the message.

**again**: the same may work later. **seen by**: who may read the message: the model as an observation, the user. **in
doubt**: what failed may have taken effect all the same. **exit 2**: a command that ends with it ends with that code, as
what was typed or written is wrong; with any other it ends with 1, and with 4 where a run is refused.
`

/** @type {readonly (readonly [title: string, table: import('@tenon/kernel').ErrorTable, source: string])[]} */
const TABLES = [
  ['Runs (`@tenon/kernel`)', KERNEL_ERRORS, 'packages/kernel/src/errors/kernel-errors.ts'],
  ['The command, files and the web (`tenon`)', HOST_ERRORS, 'packages/tenon/src/errors.ts'],
  ['Models (`@tenon/models`)', MODELS_ERRORS, 'packages/models/src/errors.ts'],
  ['The store (`@tenon/store`)', STORE_ERRORS, 'packages/store/src/errors.ts'],
  ['MCP (`@tenon/mcp`)', MCP_ERRORS, 'packages/mcp/src/errors.ts'],
  ['Skills and the sandbox (`@tenon/skills`)', SKILLS_ERRORS, 'packages/skills/src/errors.ts'],
  ['Peers (`@tenon/a2a`)', PEER_ERRORS, 'packages/a2a/src/peer/peer-error.ts'],
  ['Our agents as A2A servers (`@tenon/a2a`)', A2A_ERRORS, 'packages/a2a/src/errors.ts'],
]

/** All codes with what they mean, from the tables and what is said there above each code. */
export const errorsPage = () => [HEAD, ...TABLES.map(section)].join('\n').concat('\n')

/** @param {(typeof TABLES)[number]} entry */
function section([title, table, source]) {
  const said = commentsIn(readFileSync(join(repoRoot, source), 'utf8'))
  const rows = Object.entries(table).map(([code, traits]) => {
    const { meaning, remedy } = said.get(code) ?? { meaning: '', remedy: '' }
    if (meaning === '' || remedy === '')
      throw new Error(`${source}: ${code} needs a comment: what it means. @remedy what to do`)
    return `| \`${code}\` | ${meaning} | ${remedy} | ${traits.retryable ? 'yes' : ''} | ${seenBy(traits)}${marks(traits)} |`
  })
  return [
    `## ${title}`,
    '',
    '| code | meaning | what to do | again | seen by |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** @param {import('@tenon/kernel').ErrorTraits} traits */
const seenBy = ({ modelVisible, userVisible }) =>
  [modelVisible ? 'model' : '', userVisible ? 'user' : ''].filter((who) => who !== '').join(', ') || 'log'

/** @param {import('@tenon/kernel').ErrorTraits} traits */
const marks = ({ inDoubt, usage }) => `${inDoubt ? ', in doubt' : ''}${usage ? ', exit 2' : ''}`

/**
 * The comment above each key of a table, in two parts.
 *
 * @param {string} source
 * @returns {Map<string, { readonly meaning: string, readonly remedy: string }>}
 */
function commentsIn(source) {
  const found = new Map()
  for (const [, comment = '', quoted, bare] of source.matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:'([\w-]+)'|(\w+)):/g,
  )) {
    const text = comment
      .replace(/^\s*\*/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const [meaning = '', remedy = ''] = text.split(/\s*@remedy\s*/)
    found.set(quoted ?? bare, { meaning: escaped(meaning), remedy: escaped(remedy) })
  }
  return found
}

/** @param {string} text */
const escaped = (text) => text.replaceAll('|', '\\|')
