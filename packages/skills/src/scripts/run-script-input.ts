import type { JsonObject } from '@tenon/kernel'

export type RunScriptArgs = {
  readonly skill: string
  readonly script: string
  readonly args?: readonly string[]
  readonly stdin?: string
  readonly files?: Readonly<Record<string, string>>
  readonly artifacts?: Readonly<Record<string, string>>
  readonly workspace?: Readonly<Record<string, string>>
}

export const RUN_SCRIPT_INPUT: JsonObject = {
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
    workspace: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Files of the workspace to lay into its working folder: name of the file to its path in the workspace.',
    },
  },
  required: ['skill', 'script'],
  additionalProperties: false,
}
