import type { Json, SchemaCompiler } from '@tenon/kernel'
import { Ajv2020 } from 'ajv/dist/2020.js'

export const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

/** JSON Schema by ajv, with its own words for problems. */
export const ajvSchema: SchemaCompiler = (json) => {
  const validate = ajv.compile(json)
  return {
    json,
    check: (value: Json) =>
      validate(value)
        ? { ok: true, value }
        : {
            ok: false,
            problems: (validate.errors ?? []).map(({ instancePath, message }) => ({
              path: instancePath,
              message: message ?? 'does not fit',
            })),
          },
  }
}
