import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import type { CaseTools } from './case-tools.js'
import type { CaseOutcome } from './outcome.js'

/** What else of a run a scenario may look at. */
export type Observed = {
  readonly updates: readonly string[]
  readonly aliveChildren: number
  readonly grownBytes: number
}

/** Compares `expect.result` with what came of the last operation; one line for each difference. */
export function checkResult(
  want: JsonObject,
  got: CaseOutcome,
  observed: Observed,
  { fits }: CaseTools,
): readonly string[] {
  const wrong: string[] = []
  const differ = (key: string, found: unknown): void => {
    wrong.push(
      `${key}: wanted ${JSON.stringify(want[key])?.slice(0, 200)}, got ${JSON.stringify(found)?.slice(0, 300)}`,
    )
  }
  const text = got.text ?? ''
  const message = got.error?.message ?? text
  const names = got.tools?.map(({ name }) => name) ?? []
  const each = (key: string, test: (value: string) => boolean, found: unknown): void => {
    if (!listOf(want[key]).every((value) => test(String(value)))) differ(key, found)
  }
  for (const key of Object.keys(want)) {
    const wanted = want[key] as Json
    switch (key) {
      case 'text':
        if (!fits(wanted, got.text)) differ(key, got.text)
        break
      case 'textContains':
        each(key, (value) => (text || message).includes(value), text)
        break
      case 'textLacks':
      case 'viewLacks':
        each(key, (value) => !text.includes(value) && !message.includes(value), text)
        break
      case 'viewBytesMax':
        if (Buffer.byteLength(text) > Number(wanted)) differ(key, Buffer.byteLength(text))
        break
      case 'viewCopies':
        for (const [piece, copies] of Object.entries(isJsonObject(wanted) ? wanted : {}))
          if (text.split(piece).length - 1 !== copies) differ(key, text)
        break
      case 'structured':
        if (!fits(wanted, got.structured)) differ(key, got.structured)
        break
      case 'blocks':
        if (!fits(wanted, got.blocks)) differ(key, got.blocks)
        break
      case 'contents':
        if (!fits(wanted, contentsOf(got))) differ(key, contentsOf(got))
        break
      case 'messages':
        if (!fits(wanted, got.result?.messages)) differ(key, got.result?.messages)
        break
      case 'tools':
        if (!fits(wanted, namesOf(got, names))) differ(key, namesOf(got, names))
        break
      case 'toolCount':
        if (!fits(wanted, listedOf(got, names).length)) differ(key, names.length)
        break
      case 'toolsInclude':
        each(key, (value) => names.includes(value), names)
        break
      case 'toolsExclude':
        each(key, (value) => !names.includes(value), names)
        break
      case 'descriptions':
        for (const [name, description] of Object.entries(isJsonObject(wanted) ? wanted : {}))
          if (got.tools?.find((tool) => tool.name === name)?.description !== description) differ(key, got.tools)
        break
      case 'shownNames':
        if (!shownNamesFit(wanted, got))
          differ(
            key,
            got.tools?.map(({ shownName }) => shownName),
          )
        break
      case 'code':
        if (!fits(wanted, got.error?.code)) differ(key, got.error)
        break
      case 'status':
        if (!fits(wanted, got.error?.status)) differ(key, got.error)
        break
      case 'errorContains':
        each(key, (value) => message.includes(value), message)
        break
      case 'errorLacks':
        each(key, (value) => !message.includes(value), message)
        break
      case 'progress':
        if (!fits(wanted, got.progress ?? [])) differ(key, got.progress)
        break
      case 'progressGapMs':
        if (!gapsOf(got.progressAt ?? []).every((gap) => fits(wanted, gap))) differ(key, gapsOf(got.progressAt ?? []))
        break
      case 'handle':
        if (!holds(got.handle, wanted, fits)) differ(key, got.handle)
        break
      case 'artifactBytes':
        if (!fits(wanted, got.artifactBytes)) differ(key, got.artifactBytes)
        break
      case 'hostBytesMax':
        if (observed.grownBytes > Number(wanted)) differ(key, observed.grownBytes)
        break
      case 'aliveChildrenMax':
        if (observed.aliveChildren > Number(wanted)) differ(key, observed.aliveChildren)
        break
      case 'followed':
        if (!fits(wanted, got.result?.followed ?? true)) differ(key, got.result)
        break
      case 'updates':
        if (!fits(wanted, typeof wanted === 'number' ? observed.updates.length : observed.updates))
          differ(key, observed.updates)
        break
      default:
        differ(key, 'nothing that this runner knows')
    }
  }
  return wrong
}

const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

/** Of resources and prompts as of tools. */
function listedOf({ result }: CaseOutcome, names: readonly string[]): readonly Json[] {
  return Array.isArray(result?.items) ? result.items : names
}

const namesOf = (got: CaseOutcome, names: readonly string[]): readonly Json[] =>
  listedOf(got, names).map((item) => (isJsonObject(item) ? (item.name ?? item.uri ?? null) : item))

function contentsOf({ result }: CaseOutcome): readonly JsonObject[] {
  const contents = Array.isArray(result?.contents) ? result.contents.filter((one) => isJsonObject(one)) : []
  return contents.map((one) =>
    typeof one.blob === 'string' ? { ...one, blobBytes: Buffer.from(one.blob, 'base64').length } : one,
  )
}

function shownNamesFit(wanted: Json, { tools = [] }: CaseOutcome): boolean {
  if (!isJsonObject(wanted)) return false
  const shown = tools.map(({ shownName }) => shownName)
  const { matches, unique } = wanted
  const unlike = typeof matches === 'string' && shown.some((name) => !new RegExp(matches, 'u').test(name))
  return !unlike && !(unique === true && new Set(shown).size !== shown.length)
}

const gapsOf = (times: readonly number[]): readonly number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? time))

/** A handle is opaque: what is wanted must stand in it. */
function holds(handle: Json | undefined, wanted: Json, fits: CaseTools['fits']): boolean {
  if (fits(wanted, handle)) return true
  return isJsonObject(handle) && Object.values(handle).some((value) => fits(wanted, value))
}
