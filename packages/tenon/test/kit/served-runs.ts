import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, RunId } from '@tenon/kernel'
import { openStore } from '@tenon/store'
import { expect, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/load-config.js'
import type { Host } from '../../src/host/host.js'
import { knownNames } from '../../src/host/known-names.js'
import { openHost } from '../../src/host/open-host.js'
import { ajvCompiler } from '../../src/schema/ajv-compiler.js'
import { openGate } from '../../src/serve/gate.js'
import { openHttpSite } from '../../src/serve/http-site.js'
import { valueAt } from '../../src/serve/run-api/body-handle.js'
import { openApiDocument } from '../../src/serve/run-api/open-api-document.js'
import { ROUTES } from '../../src/serve/run-api/routes.js'
import { runApiFace } from '../../src/serve/run-api/run-api-face.js'
import { temporaryFolder } from './temporary-folder.js'

type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Null for what is no JSON. */
  readonly body: Json
  /** What stands at a JSON pointer of the body. */
  at(pointer: string): Json | undefined
}
type Sent = {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly raw?: string | Buffer<ArrayBuffer>
}

export type ServedRuns = {
  readonly host: Host
  readonly url: string
  /** Names of the operations that were called. */
  readonly called: Set<string>
  /** Errors that were told to whoever started the server. */
  readonly reported: unknown[]
  /** Sends a request, and fails when the answer is not as the OpenAPI document describes it. */
  ask(request: string, sent?: Sent): Promise<Answer>
  /** Submits a goal and waits until the run rests. */
  run(goal: string, headers?: Readonly<Record<string, string>>): Promise<string>
  close(): Promise<void>
}

export type ServedRunsOptions = {
  readonly rehearsal: string
  readonly config?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Both are new ones where absent. */
  readonly folder?: string
  readonly store?: string
}

/** The run API over real sockets, with a store of its own, in this process. */
export async function servedRuns(options: ServedRunsOptions): Promise<ServedRuns> {
  const folder = options.folder ?? temporaryFolder()
  writeFileSync(join(folder, 'rehearsal.yaml'), options.rehearsal)
  if (options.config !== undefined) writeFileSync(join(folder, 'tenon.yaml'), options.config)
  const environment = { HOME: join(folder, 'home'), XDG_DATA_HOME: join(folder, 'data'), ...options.environment }
  const host = await openHost({
    loaded: loadConfig({ cwd: folder, environment, known: knownNames() }),
    store: openStore({ dir: options.store ?? join(folder, 'store') }),
    environment,
    cwd: folder,
    choosing: { rehearsal: join(folder, 'rehearsal.yaml') },
  })
  const gate = openGate(host.config.serve ?? {}, '127.0.0.1')
  const reported: unknown[] = []
  const report = (error: unknown): void => void reported.push(error)
  const site = await openHttpSite(
    { host: '127.0.0.1', port: 0 },
    gate,
    async (url) => [runApiFace({ host, gate, url, report })],
    report,
  )
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= site.close().then(() => host.close())
    return closed
  }
  onTestFinished(close)
  const called = new Set<string>()

  async function ask(request: string, sent: Sent = {}): Promise<Answer> {
    const [method = '', path = ''] = request.split(' ')
    const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const response = await fetch(site.url + path, {
      method,
      headers: { ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...sent.headers },
      ...(payload === undefined ? {} : { body: payload }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    const body = isJson ? (JSON.parse(text) as Json) : null
    const { status, headers } = response
    const answer: Answer = { status, headers, text, body, at: (pointer) => valueAt(body, pointer) }
    const name = await described(method, path, answer)
    if (name !== undefined) called.add(name)
    return answer
  }

  return {
    host,
    url: site.url,
    called,
    reported,
    ask,
    async run(goal, headers) {
      const begun = await ask('POST /runs', { body: { goal }, ...(headers === undefined ? {} : { headers }) })
      const runId = RunId(String(begun.at('/runId')))
      await host.engine.drive(runId)
      return runId
    },
    close,
  }
}

const DOCUMENT = openApiDocument(ROUTES)
const ofDocument = (schema: JsonObject): JsonObject => ({ ...schema, components: DOCUMENT.components ?? null })
const ERROR = ofDocument({ $ref: '#/components/schemas/Error' })

const entries = (value: Json | undefined): [string, Json][] => (isJsonObject(value) ? Object.entries(value) : [])

/** The operation that answered, after its answer was held against the document. */
async function described(method: string, path: string, { status, headers, body }: Answer): Promise<string | undefined> {
  const [pathname = ''] = path.split('?')
  for (const [template, operations] of entries(DOCUMENT.paths)) {
    const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    const operation = valueAt(operations, `/${method.toLowerCase()}`)
    if (!pattern.test(pathname) || operation === undefined) continue
    const [content] = entries(valueAt(operation, `/responses/${status}/content`))
    if (content === undefined) await fits(ERROR, body)
    else {
      const [type, { schema }] = content as [string, { readonly schema: JsonObject }]
      if (type !== '*/*') expect(headers.get('content-type')).toBe(type)
      if (type === 'application/json') await fits(ofDocument(schema), body)
    }
    return String(valueAt(operation, '/operationId'))
  }
  await fits(ERROR, body)
  return undefined
}

async function fits(schema: JsonObject, body: Json): Promise<void> {
  expect(await ajvCompiler(schema).check(body)).toMatchObject({ ok: true })
}
