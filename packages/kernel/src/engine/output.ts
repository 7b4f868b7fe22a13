import type { ContentBlock } from '../content/block.js'
import { plainText } from '../content/block.js'
import type { Json } from '../content/json.js'
import type { MaybePromise } from '../ports/maybe-promise.js'
import { isPromise } from '../ports/maybe-promise.js'
import type { Checked, Schema } from '../ports/schema.js'

export type CheckedOutput =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problems: readonly string[] }

const FENCE = /^```(?:json)?[^\S\n]*\n/

/** What stands inside of a code fence; all of the text where it is not in one. */
function unfenced(said: string): string {
  const text = said.trim()
  const fence = FENCE.exec(text)
  return fence && text.endsWith('```') ? text.slice(fence[0].length, -3) : text
}

/** Reads the final answer as the typed result: JSON, bare or in one code fence, of the shape that was asked for. */
export function checkOutput(blocks: readonly ContentBlock[], schema: Schema): MaybePromise<CheckedOutput> {
  let value: Json
  try {
    value = JSON.parse(unfenced(plainText(blocks))) as Json
  } catch (error) {
    return {
      ok: false,
      problems: [`it is not one JSON value (${error instanceof Error ? error.message : 'unreadable'})`],
    }
  }
  const judge = (checked: Checked): CheckedOutput =>
    checked.ok
      ? checked
      : {
          ok: false,
          problems: checked.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
        }
  const checked = schema.check(value)
  return isPromise(checked) ? checked.then(judge) : judge(checked)
}
