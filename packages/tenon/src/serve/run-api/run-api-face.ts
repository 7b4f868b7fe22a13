import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json } from '@tenon/kernel'
import { HostError } from '../../errors.js'
import type { Host } from '../../host/host.js'
import { ajvCompiler } from '../../schema/ajv-compiler.js'
import { answerError } from '../answer-error.js'
import type { Caller, Gate } from '../gate.js'
import type { HttpFace } from '../http-site.js'
import { openApiDocument } from './open-api-document.js'
import { readJsonBody } from './read-json-body.js'
import { readParams } from './read-params.js'
import { RequestCards } from './request-card.js'
import type { Route, RunApiPorts } from './route.js'
import { ROUTES } from './routes.js'
import { SCHEMAS, type SchemaName } from './schemas.js'

export type RunApiOptions = {
  readonly host: Host
  readonly gate: Gate
  /** Where clients reach this server, without a slash at the end. */
  readonly url: string
  readonly report: (error: unknown) => void
}

type Asking = {
  readonly route: Route
  readonly inPath: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

const BODY_LIMIT = 1024 * 1024

/** The run API: routes of one table, each checked by what the OpenAPI document says of it. */
export function runApiFace({ host, gate, url, report }: RunApiOptions): HttpFace {
  const table = ROUTES.map((route) => ({ route, path: pathPattern(route.path) }))
  const ports: RunApiPorts = {
    host,
    cards: new RequestCards(host),
    document: openApiDocument(ROUTES),
    streams: { open: 0 },
    report,
  }
  const open = new Set<AbortController>()
  const leave = (): void => {
    for (const one of open) one.abort()
  }

  async function answer(asking: Asking, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { route } = asking
    const caller = await admitted(gate, route, request, response)
    if (caller === undefined) return
    const params = await readParams(route, asking.inPath, asking.query, request)
    const body = route.body === undefined ? null : await bodyOf(route.body, request, host.config.serve?.bodyLimit)
    const over = new AbortController()
    open.add(over)
    response.once('close', () => {
      open.delete(over)
      over.abort()
    })
    const reply = await route.answer({ ports, caller, params, body, signal: over.signal, response })
    if (reply === 'sent' || response.destroyed) return
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(JSON.stringify(reply.body))
  }

  return {
    addresses: [`${url}/openapi.json`],
    async serve(request, response) {
      const [pathname, query] = partsOf(request.url ?? '/')
      const fitting = table.flatMap(({ route, path }) => {
        const inPath = path(pathname)
        return inPath === undefined ? [] : [{ route, inPath, query }]
      })
      if (fitting.length === 0) return false
      response.setHeader('cache-control', 'no-store')
      try {
        const asking = fitting.find(({ route }) => route.method === request.method)
        if (asking === undefined) {
          const known = fitting.map(({ route }) => route.method).join(', ')
          response.setHeader('allow', known)
          throw new HostError('method-unknown', `This path answers to ${known}.`)
        }
        await answer(asking, request, response)
      } catch (error) {
        // What is left of a body that was refused is not waited for.
        if (!request.complete && !response.headersSent) response.setHeader('connection', 'close')
        if (response.destroyed) return true
        if (!answerError(response, error)) report(error)
      }
      return true
    },
    leave,
    close: async () => leave(),
  }
}

/** Who asks where nobody has to say it. */
const NOBODY: Caller = { owner: '', authenticated: false, scopes: new Set() }

const admitted = async (
  gate: Gate,
  { scope }: Route,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Caller | undefined> => (scope === undefined ? NOBODY : gate.enter(request, response, scope))

/** @throws HostError `request-invalid` with the places */
async function bodyOf(schema: SchemaName, request: IncomingMessage, mostBytes = BODY_LIMIT): Promise<Json> {
  const body = await readJsonBody(request, mostBytes)
  const checked = await ajvCompiler(SCHEMAS[schema]).check(body)
  if (checked.ok) return body
  const problems = checked.problems.map(({ path, message }) => ({ path, message }))
  const told = problems.map(({ path, message }) => `${path === '' ? 'the body' : path} ${message}`)
  throw new HostError('request-invalid', `The body is not as described: ${told.join('; ')}.`, { detail: { problems } })
}

/** Never fails, whatever a client writes. */
function partsOf(url: string): readonly [pathname: string, query: URLSearchParams] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, new URLSearchParams()] : [url.slice(0, mark), new URLSearchParams(url.slice(mark + 1))]
}

/** What a path has in the places of its braces; undefined for a path that does not fit, or cannot be read. */
function pathPattern(path: string): (pathname: string) => Readonly<Record<string, string>> | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
  return (pathname) => {
    const found = pattern.exec(pathname)
    if (found === null) return undefined
    try {
      return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
    } catch {
      return undefined
    }
  }
}
