import type { InputRequest, Json } from '@tenon/kernel'
import { KernelError } from '@tenon/kernel'
import { ajvCompiler } from '../../schema/ajv-compiler.js'
import { SCHEMAS } from './schemas.js'

/** @throws KernelError `answer-invalid` with the places, when an answer has not the shape that was asked for */
export async function checkAnswer({ kind, schema }: InputRequest, answer: Json): Promise<void> {
  const wanted = kind === 'approval' ? SCHEMAS.Approval : schema
  if (wanted === undefined) return
  const checked = await ajvCompiler(wanted).check(answer)
  if (checked.ok) return
  const told = checked.problems.map(({ path, message }) => `answer${path} ${message}`)
  throw new KernelError('answer-invalid', `The answer does not fit: ${told.join('; ')}.`, {
    detail: { problems: checked.problems.map(({ path, message }) => ({ path: `/answer${path}`, message })) },
  })
}
