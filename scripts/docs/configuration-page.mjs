import { CONFIG_TABLE } from '../../packages/tenon/dist/config/config-table.js'

/** @typedef {import('../../packages/tenon/dist/config/field.js').AnyField} Field */
/** @typedef {{ readonly key: string, readonly field: Field, readonly required: boolean }} Row */

const HEAD = `# tenon.yaml

Found upwards from the working folder; the user's own defaults (\`tenon/tenon.yaml\` in the configuration folder of the
platform) stand below it, and paths are relative to the file that they stand in. Everything is optional. An unknown key is
refused with its place and the nearest known one. \`tenon init\` writes a commented file, \`tenon doctor --show-config\` shows
what holds, and editors read \`tenon/tenon.schema.json\`.

**Text with variables** takes \`\${NAME}\` and \`\${NAME:-default}\` from the environment. A **secret** is looked up when it is used
and shown to nobody. A **time** is written \`500ms\`, \`30s\`, \`5m\` or \`2h\`. \`NAME\` in a key stands for a name of your own, \`[]\`
for each item of a list.
`

/** The reference of the configuration, from the table that checks it. */
export function configurationPage() {
  if (CONFIG_TABLE.kind !== 'object') throw new Error('the table of the configuration is no object')
  const sections = Object.entries(CONFIG_TABLE.fields).map(([key, field]) => sectionOf(key, field))
  return [HEAD, ...sections].join('\n').concat('\n')
}

/** @param {string} key @param {Field} field */
function sectionOf(key, field) {
  const rows = [...rowsOf(key, field, false)]
  const [first] = rows
  const own = rows.length === 1 && first !== undefined ? rows : rows.slice(1)
  return [
    `## ${key}`,
    '',
    ...(rows.length === 1 ? [] : [escaped(field.doc), '']),
    '| key | value | |',
    '| --- | --- | --- |',
    ...own.map(
      ({ key, field, required }) => `| \`${key}\` | ${wanted(field)}${required ? ', required' : ''} | ${told(field)} |`,
    ),
    '',
  ].join('\n')
}

/** @param {string} key @param {Field} field @param {boolean} required @returns {Generator<Row>} */
function* rowsOf(key, field, required) {
  yield { key, field, required }
  if (field.kind === 'object')
    for (const [name, inner] of Object.entries(field.fields))
      yield* rowsOf(`${key}.${name}`, inner, field.required.includes(name))
  if (field.kind === 'map' && isDeep(field.value)) yield* [...rowsOf(`${key}.NAME`, field.value, false)].slice(1)
  if (field.kind === 'list' && isDeep(field.item)) yield* [...rowsOf(`${key}[]`, field.item, false)].slice(1)
}

/** @param {Field} field */
const isDeep = (field) => field.kind === 'object' || field.kind === 'map' || field.kind === 'list'

/** @param {Field} field @returns {string} */
function wanted(field) {
  switch (field.kind) {
    case 'text':
      return field.interpolate ? 'text with variables' : 'text'
    case 'choice':
      return field.values.map((value) => `\`${value}\``).join(', ')
    case 'flag':
      return '`true`, `false`'
    case 'number':
      return `${field.integer ? 'whole number' : 'number'} from ${spoken(field.min)} to ${spoken(field.max)}`
    case 'duration':
      return 'time'
    case 'list':
      return `list of ${inside(field.item)}`
    case 'map':
      return `mapping of ${field.keys.split(' of ')[0]} to ${inside(field.value)}`
    case 'json':
      return 'any mapping'
    case 'object':
      return `mapping${choiceIn(field)}`
    default:
      return field.kind
  }
}

/** @param {Field} field */
const inside = (field) =>
  field.kind === 'object' ? `mappings${choiceIn(field)}` : isDeep(field) ? 'mappings' : wanted(field)

/** @param {Field & { kind: 'object' }} field */
const choiceIn = ({ oneOf }) =>
  oneOf === undefined ? '' : ` with exactly one of ${oneOf.map((name) => `\`${name}\``).join(', ')}`

/** @param {number} number */
const spoken = (number) => number.toLocaleString('en')

/** @param {Field} field */
function told({ doc, examples = [] }) {
  const shown = examples.length === 0 ? '' : ` Such as ${examples.map((one) => `\`${one}\``).join(', ')}.`
  return escaped(doc) + shown
}

/** @param {string} text */
const escaped = (text) =>
  text
    .replace(/\$\{[^}]*\}/g, '`$&`')
    .replaceAll('|', '\\|')
    .replaceAll('*', '\\*')
    .replace(/\b([A-Z]+_[A-Z_]+)\b(?!`|\})/g, '`$1`')
