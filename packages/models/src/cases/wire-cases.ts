import type { ModelEvent, ModelRequest } from '@tenon/kernel'
import { userMessage } from '@tenon/kernel'
import { ReadAnswer } from '../wire/read-answer.js'
import { toolNames } from '../wire/tool-names.js'
import { byteCuts } from './byte-cuts.js'
import type { CaseReport } from './case-report.js'
import { CaseServer } from './case-server.js'
import type { WireCase } from './wire-case.js'
import { dialectOf, modelOf, readWireCase, wireCaseNames } from './wire-case.js'
import { outcomeDifferences } from './wire-outcome.js'

/**
 * Runs every case of a folder through the dialects' own code: for every way of cutting the bytes, and once over a
 * socket through the whole HTTP path. The outcome has to be the expected one each time.
 */
export async function runWireCases(folder: string): Promise<CaseReport> {
  const failures: { name: string; differences: string[] }[] = []
  const names = await wireCaseNames(folder)
  const server = await CaseServer.start()
  try {
    for (const name of names) {
      const differences = await caseDifferences(folder, name, server).catch(told)
      if (differences.length > 0) failures.push({ name, differences })
    }
  } finally {
    await server[Symbol.asyncDispose]()
  }
  return { passed: names.length - failures.length, failures }
}

async function caseDifferences(folder: string, name: string, server: CaseServer): Promise<string[]> {
  const wireCase = await readWireCase(folder, name)
  const differences: string[] = []
  const compare = (how: string, events: readonly ModelEvent[]) =>
    differences.push(...outcomeDifferences(wireCase, events).map((difference) => `${how}: ${difference}`))
  for (const cut of byteCuts(wireCase.body, wireCase.chunks)) compare(cut.name, readPieces(wireCase, cut.pieces))
  compare('over HTTP', await ask(wireCase, server))
  return differences
}

/** A case that cannot even be run has failed, and the others go on. */
const told = (thrown: unknown): string[] => [thrown instanceof Error ? thrown.message : String(thrown)]

/** The events of an answer that arrives in these pieces. */
export function readPieces(wireCase: WireCase, pieces: readonly Uint8Array[]): ModelEvent[] {
  const dialect = dialectOf(wireCase)
  const author = { provider: wireCase.options.provider, model: wireCase.options.model, dialect: dialect.name }
  const reader = dialect.reader({ author, tools: toolNames(wireCase.tools), thinkTags: dialect.thinkTags })
  const { status, stream, now } = wireCase
  const headers = Object.fromEntries(
    Object.entries(wireCase.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const head = { provider: author.provider, status, headers, streamAsked: stream, now: () => now }
  const answer = new ReadAnswer(head, reader, dialect.usage)
  const events: ModelEvent[] = []
  for (const piece of pieces) {
    events.push(...answer.push(piece))
    if (answer.isOver) break
  }
  events.push(...answer.end({ kind: 'end' }))
  return events
}

async function ask(wireCase: WireCase, server: CaseServer): Promise<ModelEvent[]> {
  const cuts = byteCuts(wireCase.body, wireCase.chunks)
  const cut = cuts.find(({ name }) => name === 'as it arrived') ?? cuts.at(-1)
  server.next = { status: wireCase.status, headers: wireCase.headers, pieces: cut?.pieces ?? [wireCase.body] }
  const request: ModelRequest = {
    system: [],
    messages: [userMessage('Begin.')],
    tools: wireCase.tools.map((name) => ({ name, description: name, input: { type: 'object' } })),
    toolChoice: 'auto',
    settings: {},
  }
  const events: ModelEvent[] = []
  const { signal } = new AbortController()
  for await (const event of modelOf(wireCase, server.baseUrl).generate(request, { signal })) events.push(event)
  return events
}
