import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArgumentProblem, Repair, SchemaCompiler, ToolDefinition } from '@tenon/kernel'
import { ambiguousTool, readArguments, resolveName, sortedRepairs, unknownTool } from '@tenon/kernel'
import type { PromptedDialect } from '../prompted/dialect.js'
import { promptedDialects } from '../prompted/dialects.js'
import { TurnParser } from '../prompted/turn-parser.js'
import type { CallsCase, CallsOutcome } from './calls-case.js'
import { differences } from './calls-case.js'
import type { CaseReport } from './case-report.js'
import { textCuts } from './text-cuts.js'

type Done = CallsOutcome['calls'][number]

/**
 * Runs a folder of cases of the kind `calls` (`dialects/`, `repair/`, `roundtrip.jsonl`) through the code that runs
 * when a model answers, whole and in every kind of cut.
 */
export async function runCallsCases(folder: string, compile: SchemaCompiler): Promise<CaseReport> {
  const failures: { name: string; differences: string[] }[] = []
  let passed = 0
  for (const { name, read } of await casesIn(folder)) {
    const found = new Set<string>()
    try {
      const one = read()
      for (const chunks of textCuts(one.text)) {
        for (const difference of differences(await outcomeOf(one, chunks, compile), one.expect)) found.add(difference)
      }
    } catch (error) {
      found.add(`stopped: ${error instanceof Error ? error.message : String(error)}`)
    }
    if (found.size === 0) passed++
    else failures.push({ name, differences: [...found] })
  }
  return { passed, failures }
}

async function casesIn(folder: string): Promise<readonly { readonly name: string; readonly read: () => CallsCase }[]> {
  const cases: { name: string; read: () => CallsCase }[] = []
  for (const part of ['dialects', 'repair']) {
    const files = await readdir(join(folder, part)).catch(() => [])
    for (const file of files.filter((entry) => entry.endsWith('.json')).sort()) {
      const text = await readFile(join(folder, part, file), 'utf8')
      cases.push({ name: `${part}/${file}`, read: () => JSON.parse(text) as CallsCase })
    }
  }
  const trips = await readFile(join(folder, 'roundtrip.jsonl'), 'utf8').catch(() => '')
  for (const [index, line] of trips.split('\n').entries()) {
    if (line.trim() === '') continue
    cases.push({ name: `roundtrip.jsonl:${index + 1}`, read: () => JSON.parse(line) as CallsCase })
  }
  return cases
}

function outcomeOf(one: CallsCase, chunks: readonly string[], compile: SchemaCompiler): Promise<CallsOutcome> {
  const tools = one.tools.map(({ name, inputSchema }) => ({ name, description: '', input: inputSchema }))
  if (one.dialect === 'native-arguments') return nativeOutcome(one, chunks.join(''), tools, compile)
  return promptedOutcome(promptedDialects[one.dialect], one, chunks, tools, compile)
}

const failed = (problem: ArgumentProblem): CallsOutcome => outcome([], new Set(), [], problem)

function outcome(
  calls: readonly Done[],
  repairs: ReadonlySet<Repair>,
  diagnostics: readonly string[],
  error: ArgumentProblem | null,
): CallsOutcome {
  return {
    calls,
    finalText: null,
    thought: null,
    discarded: null,
    repair: repairs.size > 0 ? 'lossless' : 'none',
    diagnostics: [...new Set<string>([...diagnostics, ...repairs])].sort(),
    error,
  }
}

async function nativeOutcome(
  one: CallsCase,
  text: string,
  tools: readonly ToolDefinition[],
  compile: SchemaCompiler,
): Promise<CallsOutcome> {
  const written = one.name ?? ''
  const names = tools.map((tool) => tool.name)
  const found = resolveName(written, names)
  if (found.kind === 'ambiguous') return failed(ambiguousTool(written, found.candidates, null))
  const tool = found.kind === 'tool' ? tools.find(({ name }) => name === found.name) : undefined
  if (found.kind === 'unknown' || tool === undefined) return failed(unknownTool(written, names, null))
  const reading = await readArguments(text, { name: tool.name, input: compile(tool.input) }, one.finish ?? 'stop')
  if (!reading.ok) return failed(reading.problem)
  const repairs = new Set<Repair>(reading.repairs)
  if (found.normalised) repairs.add('name-normalised')
  return outcome([{ name: tool.name, arguments: reading.args }], repairs, [], null)
}

async function promptedOutcome(
  dialect: PromptedDialect,
  one: CallsCase,
  chunks: readonly string[],
  tools: readonly ToolDefinition[],
  compile: SchemaCompiler,
): Promise<CallsOutcome> {
  const parser = new TurnParser(dialect, tools)
  for (const chunk of chunks) parser.push(chunk)
  const turn = parser.end(one.finish ?? 'stop')
  const calls: Done[] = []
  const repairs = new Set<Repair>()
  let error = turn.problem
  for (const call of turn.calls) {
    if (call.kind === 'broken') {
      error ??= call.problem
      continue
    }
    const tool = tools.find(({ name }) => name === call.name)
    if (tool === undefined) throw new Error(`${call.name} was read, but is not offered`)
    const reading = await readArguments(call.args, { name: tool.name, input: compile(tool.input) }, 'stop')
    if (!reading.ok) error ??= reading.problem
    else {
      calls.push({ name: call.name, arguments: reading.args })
      for (const repair of [...call.repairs, ...reading.repairs]) repairs.add(repair)
    }
  }
  // Repairs of the text around calls that all go back have repaired nothing.
  if (calls.length > 0 || turn.answer !== null) for (const repair of turn.repairs) repairs.add(repair)
  return {
    ...outcome(calls, new Set(sortedRepairs(repairs)), turn.diagnostics, error),
    finalText: turn.answer,
    thought: turn.thought,
    discarded: turn.discarded,
  }
}
