import type { Json } from '@tenon/kernel'
import { canonicalJson } from '@tenon/kernel'
import { atPointer } from './json-pointer.js'
import type { ResultCondition, Scene, TextCondition } from './rehearsal.js'
import type { Shown, ShownResult } from './shown.js'

/** One condition that does not hold: where it stands in the script, what it wants, what was shown. */
export type Mismatch = { readonly condition: string; readonly expected: string; readonly shown: string }

/** `values` are what the conditions took out of what was shown. */
export type SceneMatch = { readonly mismatches: readonly Mismatch[]; readonly values: ReadonlyMap<string, Json> }

/** Compares a scene with what is shown. It plays when nothing mismatches. */
export function matchScene(scene: Scene, shown: Shown): SceneMatch {
  const { when } = scene
  const mismatches: Mismatch[] = []
  const values = new Map<string, Json>()
  for (const part of ['goal', 'user', 'system'] as const)
    if (when[part] !== undefined) mismatches.push(...matchText(`when.${part}`, when[part], shown[part], values))
  for (const tool of when.tools)
    if (!shown.tools.includes(tool))
      mismatches.push({ condition: 'when.tools', expected: `${tool} is offered`, shown: listed(shown.tools) })
  if (when.turns !== undefined && when.turns !== shown.turns)
    mismatches.push({ condition: 'when.turns', expected: String(when.turns), shown: String(shown.turns) })
  // A scene that says nothing of results or turns opens a turn: else it would play again on the results of its own calls.
  const wantsNone = when.results === undefined ? when.turns === undefined : when.results.length === 0
  if (wantsNone && shown.results.length > 0)
    mismatches.push({
      condition: 'when.results',
      expected: 'no results',
      shown: listed(shown.results.map((result) => result.tool)),
    })
  mismatches.push(...matchResults('when.results', when.results ?? [], shown.results, values))
  mismatches.push(...matchResults('when.seen', when.seen, shown.seen, values))
  return { mismatches, values }
}

/** Each condition takes the first result that fits it and that no condition before it took. */
function matchResults(
  where: string,
  conditions: readonly ResultCondition[],
  results: readonly ShownResult[],
  values: Map<string, Json>,
): Mismatch[] {
  const left = [...results]
  const mismatches: Mismatch[] = []
  for (const [index, condition] of conditions.entries()) {
    const place = `${where}[${index}]`
    const tries = left.map((result) => matchResult(place, condition, result))
    const hit = tries.findIndex((attempt) => attempt.mismatches.length === 0)
    if (hit >= 0) {
      for (const [name, value] of tries[hit]?.values ?? []) values.set(name, value)
      left.splice(hit, 1)
    } else {
      const nearest = tries.toSorted((a, b) => a.mismatches.length - b.mismatches.length)[0]
      mismatches.push(
        ...(nearest?.mismatches ?? [
          { condition: place, expected: `a result of ${condition.tool ?? 'any tool'}`, shown: 'none' },
        ]),
      )
    }
  }
  return mismatches
}

function matchResult(place: string, condition: ResultCondition, result: ShownResult): SceneMatch {
  const values = new Map<string, Json>()
  const mismatches: Mismatch[] = []
  const miss = (name: string, expected: string, shown: string): void => {
    mismatches.push({ condition: `${place}.${name}`, expected, shown: clipped(shown) })
  }
  if (condition.tool !== undefined && condition.tool !== result.tool) miss('tool', condition.tool, result.tool)
  if (condition.error !== undefined && condition.error !== result.isError)
    miss('error', String(condition.error), `${result.isError}: ${result.text}`)
  if (condition.text !== undefined) mismatches.push(...matchText(place, condition.text, result.text, values))
  if (condition.at.length + condition.take.length > 0) {
    const json = parsed(result.text)
    for (const { pointer, equals } of condition.at) {
      const found = json === undefined ? undefined : atPointer(json, pointer)
      if (found === undefined) miss(`at ${pointer}`, canonicalJson(equals), nothingAt(json, result))
      else if (canonicalJson(found) !== canonicalJson(equals))
        miss(`at ${pointer}`, canonicalJson(equals), canonicalJson(found))
    }
    for (const { name, pointer } of condition.take) {
      const found = json === undefined ? undefined : atPointer(json, pointer)
      if (found === undefined) miss(`take.${name}`, `something at ${pointer}`, nothingAt(json, result))
      else values.set(name, found)
    }
  }
  return { mismatches, values }
}

function matchText(place: string, condition: TextCondition, text: string, values: Map<string, Json>): Mismatch[] {
  const mismatches: Mismatch[] = []
  for (const part of condition.contains ?? [])
    if (!text.includes(part))
      mismatches.push({ condition: `${place}.contains`, expected: JSON.stringify(part), shown: clipped(text) })
  if (condition.equals !== undefined && condition.equals !== text)
    mismatches.push({
      condition: `${place}.equals`,
      expected: JSON.stringify(condition.equals),
      shown: clipped(text),
    })
  if (condition.matches !== undefined) {
    const match = condition.matches.exec(text)
    if (match === null)
      mismatches.push({ condition: `${place}.matches`, expected: String(condition.matches), shown: clipped(text) })
    for (const [name, value] of Object.entries(match?.groups ?? {})) if (value !== undefined) values.set(name, value)
  }
  return mismatches
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const nothingAt = (json: Json | undefined, result: ShownResult): string =>
  json === undefined ? `not JSON: ${result.text}` : `nothing there: ${result.text}`

const SHOWN_LIMIT = 200

const clipped = (text: string): string =>
  JSON.stringify(text.length <= SHOWN_LIMIT ? text : `${text.slice(0, SHOWN_LIMIT)}…`)

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))
