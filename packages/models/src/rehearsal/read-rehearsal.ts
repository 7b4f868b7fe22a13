import type { Json, JsonObject, Prices } from '@tenon/kernel'
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { ModelsError } from '../errors.js'
import { slotsOf } from './fill-template.js'
import type { Rehearsal, ResultCondition, Scene, SceneConditions, SceneLines } from './rehearsal.js'
import { type Path, ScriptReader } from './script-reader.js'

const MAX_BYTES = 4 * 1024 * 1024

/**
 * Reads a rehearsal from YAML or JSON. `origin` is the file's name as the user knows it.
 *
 * @throws ModelsError `rehearsal-invalid` with every problem found, each as `file:line:column: what to do`; `detail`
 * holds them as data.
 */
export function readRehearsal(source: string, origin: string): Rehearsal {
  if (source.length > MAX_BYTES)
    throw invalid(origin, [{ line: 1, column: 1, message: `a rehearsal may have ${MAX_BYTES} characters at most` }])
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0)
    throw invalid(
      origin,
      document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0])
        const cut = error.pos[0] >= source.trimEnd().length ? ' The file ends here: it may be half-written.' : ''
        return { line, column: col, message: `not YAML or JSON: ${error.message}.${cut}` }
      }),
    )
  const reader = new ScriptReader()
  const rehearsal = readTop(reader, toValue(document, origin))
  if (reader.problems.length > 0)
    throw invalid(
      origin,
      reader.problems.map(({ path, message }) => {
        const { line, col } = lines.linePos(offsetOf(document, path))
        return { line, column: col, message }
      }),
    )
  return rehearsal
}

type Placed = { readonly line: number; readonly column: number; readonly message: string }

function toValue(document: Document, origin: string): Json {
  try {
    return document.toJS({ maxAliasCount: 100 }) as Json
  } catch (cause) {
    throw invalid(origin, [{ line: 1, column: 1, message: 'too many YAML aliases: write the values out' }], cause)
  }
}

function invalid(origin: string, problems: readonly Placed[], cause?: unknown): ModelsError {
  const text = problems.map(({ line, column, message }) => `${origin}:${line}:${column}: ${message}`).join('\n')
  return new ModelsError('rehearsal-invalid', `The rehearsal cannot be played:\n${text}`, {
    detail: { origin, problems: problems.map((problem) => ({ ...problem })) },
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Where the value at a path begins; for a missing one, where what should hold it begins. */
function offsetOf(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth--) {
    const key = path[depth - 1]
    const holder = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true)
    if (isMap(holder)) {
      const pair = holder.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
      if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
    }
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

function readTop(reader: ScriptReader, value: Json): Rehearsal {
  const top = reader.object(value, [], ['rehearsal', 'pace', 'prices', 'scenes'])
  const title = reader.text(top.rehearsal, ['rehearsal'], 'give the rehearsal a title: `rehearsal: "…"`')
  const pace = reader.positive(top.pace, ['pace'])
  const prices = top.prices === undefined ? undefined : readPrices(reader, top.prices)
  const scenes = reader
    .list(top.scenes, ['scenes'], 'list the scenes under `scenes:`')
    .map((scene, index) => readScene(reader, scene, index))
  return { title, scenes, ...definedOnly({ pace, prices }) }
}

function readPrices(reader: ScriptReader, value: Json): Prices {
  const prices = reader.object(value, ['prices'], ['input', 'output'])
  const price = (part: 'input' | 'output'): number => {
    if (prices[part] === undefined)
      reader.problem(['prices'], `\`prices\` needs ${part}: US dollars for a million tokens`)
    return reader.positive(prices[part], ['prices', part]) ?? 0
  }
  return { input: price('input'), output: price('output') }
}

function readScene(reader: ScriptReader, value: Json, index: number): Scene {
  const path: Path = ['scenes', index]
  const scene = reader.object(value, path, ['name', 'when', 'say', 'pace'])
  const name = reader.text(scene.name, [...path, 'name'], 'give the scene a name: `name: …`')
  const pace = reader.positive(scene.pace, [...path, 'pace'])
  const when = readConditions(reader, scene.when ?? {}, [...path, 'when'])
  if (scene.say === undefined || scene.say === null)
    reader.problem(
      path,
      `the scene "${name}" says nothing: add \`say:\` with text, json or calls; the file may be half-written`,
    )
  const say = readLines(reader, scene.say ?? {}, [...path, 'say'], boundNames(when))
  return { name, when, say, ...(pace === undefined ? {} : { pace }) }
}

function readConditions(reader: ScriptReader, value: Json, path: Path): SceneConditions {
  const when = reader.object(value, path, ['goal', 'user', 'system', 'tools', 'turns', 'results', 'seen'])
  const turns = when.turns
  if (turns !== undefined && !(Number.isInteger(turns) && Number(turns) >= 0))
    reader.problem([...path, 'turns'], '`turns` is how many answers came before: 0, 1, 2 …')
  return {
    ...definedOnly({
      goal: reader.condition(when.goal, [...path, 'goal']),
      user: reader.condition(when.user, [...path, 'user']),
      system: reader.condition(when.system, [...path, 'system']),
      turns: turns === undefined ? undefined : Number(turns),
      results: when.results === undefined ? undefined : readResults(reader, when.results, [...path, 'results']),
    }),
    tools: reader.texts(when.tools, [...path, 'tools']),
    seen: when.seen === undefined ? [] : readResults(reader, when.seen, [...path, 'seen']),
  }
}

function readResults(reader: ScriptReader, value: Json, path: Path): readonly ResultCondition[] {
  return reader.list(value, path, 'a list of results').map((item, index) => {
    const place = [...path, index]
    const known = ['tool', 'error', 'contains', 'matches', 'equals', 'at', 'take']
    const result = reader.object(item, place, known)
    const { contains, matches, equals } = result
    if (result.error !== undefined && typeof result.error !== 'boolean')
      reader.problem([...place, 'error'], '`error` is true or false')
    const text = definedOnly({ contains, matches, equals })
    const at = reader.object(result.at ?? {}, [...place, 'at'])
    const take = reader.object(result.take ?? {}, [...place, 'take'])
    return {
      ...definedOnly({
        tool: result.tool === undefined ? undefined : reader.text(result.tool, [...place, 'tool'], 'a tool name'),
        error: typeof result.error === 'boolean' ? result.error : undefined,
        text: Object.keys(text).length === 0 ? undefined : reader.condition(text, place),
      }),
      at: Object.entries(at).map(([pointer, equal]) => ({
        pointer: reader.pointer(pointer, [...place, 'at', pointer]),
        equals: equal,
      })),
      take: Object.entries(take).map(([name, pointer]) => ({
        name,
        pointer: reader.pointer(pointer, [...place, 'take', name]),
      })),
    }
  })
}

function readLines(reader: ScriptReader, value: Json, path: Path, bound: ReadonlySet<string>): SceneLines {
  const say = reader.object(value, path, ['reasoning', 'text', 'json', 'calls'])
  const lines: Json[] = []
  const spoken = (key: 'reasoning' | 'text'): string | undefined => {
    if (say[key] === undefined) return undefined
    return reader.text(say[key], [...path, key], `\`${key}\` is text`)
  }
  const calls = (say.calls === undefined ? [] : reader.list(say.calls, [...path, 'calls'], 'a list of calls')).map(
    (item, index) => {
      const place = [...path, 'calls', index]
      const call = reader.object(item, place, ['tool', 'args'])
      const args = reader.object(call.args ?? {}, [...place, 'args']) as JsonObject
      return { tool: reader.text(call.tool, [...place, 'tool'], 'name the tool: `tool: …`'), args }
    },
  )
  for (const part of [say.reasoning, say.text, say.json, ...calls.map((call) => call.args)])
    if (part !== undefined) lines.push(part)
  for (const slot of slotsOf(lines))
    if (!bound.has(slot))
      reader.problem(path, `nothing takes a value for {{${slot}}}: add \`take\` or a named group to a condition`)
  return {
    ...definedOnly({ reasoning: spoken('reasoning'), text: spoken('text'), json: say.json }),
    calls,
  }
}

/** The names that a scene's conditions give values to. */
function boundNames(when: SceneConditions): ReadonlySet<string> {
  const names = new Set<string>()
  const results = [...(when.results ?? []), ...when.seen]
  for (const result of results) for (const { name } of result.take) names.add(name)
  for (const condition of [when.goal, when.user, when.system, ...results.map((result) => result.text)])
    for (const group of condition?.matches?.source.matchAll(/\(\?<([A-Za-z_]\w*)>/g) ?? [])
      names.add(group[1] as string)
  return names
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The members that are not undefined. */
function definedOnly<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>
}
