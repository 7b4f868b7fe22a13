import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMPOSITION_RULES } from '../../packages/tenon/dist/doctor/composition-rules.js'
import { repoRoot } from '../run-node.mjs'

const HEAD = `# tenon doctor

\`tenon doctor\` starts and asks everything that a project names, all at once: models, MCP servers, skills, the cards of
peers, the sandbox. What is slow or dead is told and delays nothing else. Then the rules below judge how the parts are put
together.

| exit code |                                                                  |
| --------- | ---------------------------------------------------------------- |
| 0         | everything works                                                 |
| 1         | something does not; with \`--strict\` also: a warning was given |
| 2         | the command line is wrong                                        |

\`--json\` prints one object: \`checks\` with \`state\` (\`ok\`, \`note\`, \`bad\`), \`about\`, \`text\`; \`findings\` with \`rule\`,
\`severity\`, \`where\`, \`text\`, \`title\`, \`reason\`, \`layer\` and \`fix\`; \`project\` with what there is: agents, servers with era,
tools and tokens, skills, peers, catalogues, sandbox. An \`error\` does not work, a \`warning\` works on the wrong layer or
badly, a \`note\` is worth knowing.

Each rule has a project that breaks it and one that does not; the tests run \`tenon doctor\` on both. Examples that name
\`\${PEER_URL}\` want an agent's card at that address: \`node examples/doctor/card-server.mjs CARD\` shows one.
`

/** The page of \`tenon doctor\`, from its table of rules and their examples. */
export const doctorPage = () => [HEAD, ...COMPOSITION_RULES.map(section)].join('\n').concat('\n')

/** @param {(typeof COMPOSITION_RULES)[number]} rule */
function section({ id, severity, title, reason, layer, fix }) {
  return [
    `## ${title}`,
    '',
    `\`${id}\` · ${severity}`,
    '',
    reason,
    '',
    ...(layer === undefined ? [] : [`**Better:** ${layer}.`, '']),
    `**Fix:** ${fix}`,
    '',
    `Found in [examples/doctor/${id}/found](../examples/doctor/${id}/found):`,
    '',
    ...configuration(id, 'found'),
    `Content with [examples/doctor/${id}/fine](../examples/doctor/${id}/fine):`,
    '',
    ...configuration(id, 'fine'),
  ].join('\n')
}

/** @param {string} id @param {string} kind */
function configuration(id, kind) {
  const file = join(repoRoot, 'examples', 'doctor', id, kind, 'tenon.yaml')
  return existsSync(file) ? ['```yaml', readFileSync(file, 'utf8').trimEnd(), '```', ''] : []
}
