import { type Checked, isJsonObject, type Json, type JsonObject, type Schema, type SchemaProblem } from '@tenon/kernel'

export type RunScriptArgs = {
  readonly skill: string
  readonly script: string
  readonly args?: readonly string[]
  readonly stdin?: string
  readonly files?: Readonly<Record<string, string>>
  readonly artifacts?: Readonly<Record<string, string>>
}

const JSON_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    skill: { type: 'string', minLength: 1, description: 'Name of the skill.' },
    script: { type: 'string', minLength: 1, description: 'Path of the script within the skill: scripts/check.py.' },
    args: { type: 'array', items: { type: 'string' }, description: 'Arguments, one by one.' },
    stdin: { type: 'string', description: 'Text for its standard input.' },
    files: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Text files to lay into its working folder, by name.',
    },
    artifacts: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Artifacts to lay into its working folder: name of the file to artifact id.',
    },
  },
  required: ['skill', 'script'],
  additionalProperties: false,
}

/** Written out, because this package has no schema compiler. */
export const RUN_SCRIPT_INPUT: Schema = Object.freeze({ json: JSON_SCHEMA, check })

const KNOWN: readonly string[] = ['skill', 'script', 'args', 'stdin', 'files', 'artifacts']

function check(value: Json): Checked {
  if (!isJsonObject(value)) return { ok: false, problems: [{ path: '', message: 'must be an object' }] }
  const problems: SchemaProblem[] = []
  const need = (path: string, message: string, ok: boolean): void => {
    if (!ok) problems.push({ path, message })
  }
  const { skill, script, args, stdin, files, artifacts } = value
  need('/skill', 'must be the name of a skill', typeof skill === 'string' && skill !== '')
  need('/script', 'must be the path of a script within the skill', typeof script === 'string' && script !== '')
  need('/args', 'must be a list of texts', args === undefined || (Array.isArray(args) && args.every(isText)))
  need('/stdin', 'must be text', stdin === undefined || isText(stdin))
  need('/files', 'must map names to texts', files === undefined || isTextMap(files))
  need('/artifacts', 'must map names to artifact ids', artifacts === undefined || isTextMap(artifacts))
  for (const key of Object.keys(value))
    need(`/${key}`, `is not a known key; known keys: ${KNOWN.join(', ')}`, KNOWN.includes(key))
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems }
}

const isText = (value: Json): boolean => typeof value === 'string'
const isTextMap = (value: Json): boolean => isJsonObject(value) && Object.values(value).every(isText)
