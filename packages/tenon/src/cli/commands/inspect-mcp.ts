import { pathToFileURL } from 'node:url'
import { isJsonObject, isTenonError, type JsonObject } from '@tenon/kernel'
import {
  type Completable,
  completeArgument,
  connectUpstream,
  fillTemplate,
  isMcpError,
  lastWords,
  promptInfo,
  requestInRounds,
  rpcError,
  type ServerRequestHandler,
  templateVariables,
  type Upstream,
} from '@tenon/mcp'
import { HostError } from '../../errors.js'
import { TENON_VERSION } from '../../version.js'
import { type ChoosingServers, chosenServers } from '../chosen-servers.js'
import { askArguments, type Suggest } from '../consent/ask-arguments.js'
import { askForm } from '../consent/ask-form.js'
import { type Asker, type Complete, terminalAsker } from '../consent/asker.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, isInteractive } from '../io.js'
import { safeText } from '../printer/safe-text.js'
import { table } from '../printer/table.js'

export type InspectMcpOptions = CommonOptions &
  ChoosingServers & {
    readonly call?: string
    readonly read?: string
    readonly prompt?: string
    readonly args?: string
    readonly json?: boolean
  }

/** `tenon mcp inspect`: one server, looked at and called by a person. */
export async function inspectMcp(io: Io, command: readonly string[], options: InspectMcpOptions): Promise<number> {
  const { servers, secrets } = chosenServers(io, command, options)
  const [server, ...more] = servers
  if (server === undefined || more.length > 0)
    throw new HostError('usage', 'Name one server: a command after --, a --url, or a --server of tenon.yaml.')
  const asker = isInteractive(io) ? terminalAsker(io) : undefined
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  const { name, target, limits, auth, era } = server
  const upstream = connectUpstream({
    name,
    target,
    clientInfo: { name: 'tenon', version: TENON_VERSION },
    capabilities: { elicitation: { form: {}, url: {} }, roots: {} },
    redact: secrets.redact,
    ...(limits === undefined ? {} : { limits }),
    ...(auth === undefined ? {} : { auth }),
    ...(era === undefined ? {} : { era }),
  })
  const hand: Hand = { io, upstream, asker, signal: stop.signal, json: options.json === true }
  try {
    return await inspect(hand, options)
  } catch (error) {
    if (isMcpError(error, 'mcp-start-failed') || isMcpError(error, 'mcp-connection-lost'))
      for (const line of lastWords(upstream.log).split('\n'))
        if (line !== '') io.stderr.write(`  ${name}: ${safeText(line)}\n`)
    throw error
  } finally {
    process.off('SIGINT', interrupt)
    await upstream.close()
  }
}

type Hand = {
  readonly io: Io
  readonly upstream: Upstream
  readonly asker: Asker | undefined
  readonly signal: AbortSignal
  readonly json: boolean
}

async function inspect(hand: Hand, { call, read, prompt, args }: InspectMcpOptions): Promise<number> {
  const given = args === undefined ? undefined : readArguments(args)
  if (read !== undefined) return readResource(hand, read)
  if (prompt !== undefined) return getPrompt(hand, prompt, given)
  if (call !== undefined) return callTool(hand, call, given)
  const names = await showServer(hand)
  if (hand.asker === undefined || hand.json) return EXIT.completed
  const complete: Complete = async (typed) =>
    [...names.tools, ...names.prompts, ...names.addresses].filter((name) => name.startsWith(typed))
  for (;;) {
    const typed = await hand.asker.question('Call, get or read what (Tab; empty: end): ', hand.signal, complete)
    const name = typed?.trim() ?? ''
    if (name === '') return EXIT.completed
    try {
      if (names.prompts.has(name) && !names.tools.has(name)) await getPrompt(hand, name, undefined)
      else if (names.addresses.has(name)) await readResource(hand, name)
      else await callTool(hand, name, undefined)
    } catch (error) {
      if (!isTenonError(error)) throw error
      hand.io.stderr.write(`error: ${safeText(error.message)}\n`)
    }
  }
}

async function callTool(hand: Hand, name: string, given: JsonObject | undefined): Promise<number> {
  let args = given
  if (args === undefined && hand.asker !== undefined) {
    const tool = (await listOf(hand, 'tools')).find((one) => one.name === name)
    if (tool === undefined) throw new HostError('usage', `The server has no tool "${name}".`)
    const schema = isJsonObject(tool.inputSchema) ? tool.inputSchema : {}
    args = await askForm(schema, hand.asker, hand.signal)
    if (args === undefined) return EXIT.canceled
  }
  return show(hand, await ask(hand, 'tools/call', { name, arguments: args ?? {} }))
}

async function getPrompt(hand: Hand, name: string, given: JsonObject | undefined): Promise<number> {
  let args = given
  if (args === undefined && hand.asker !== undefined) {
    const [info] = (await listOf(hand, 'prompts')).flatMap((item) => (item.name === name ? promptInfo('', item) : []))
    if (info === undefined) throw new HostError('usage', `The server has no prompt "${name}".`)
    args = await askArguments(info.arguments, suggesting(hand, { prompt: name }), hand.asker, hand.signal)
    if (args === undefined) return EXIT.canceled
  }
  return show(hand, await ask(hand, 'prompts/get', { name, arguments: args ?? {} }))
}

/** An address, or a template whose variables are asked for. */
async function readResource(hand: Hand, address: string): Promise<number> {
  const wanted = (await templateVariables(address)).map((name) => ({ name, description: '', required: true }))
  if (wanted.length === 0 || hand.asker === undefined)
    return show(hand, await ask(hand, 'resources/read', { uri: address }))
  const values = await askArguments(wanted, suggesting(hand, { template: address }), hand.asker, hand.signal)
  if (values === undefined) return EXIT.canceled
  return show(hand, await ask(hand, 'resources/read', { uri: await fillTemplate(address, values) }))
}

const suggesting =
  ({ upstream }: Hand, of: Completable): Suggest =>
  (name, typed, given) =>
    completeArgument(upstream, of, name, typed, given)

const ask = ({ upstream, signal, io, asker }: Hand, method: string, params: JsonObject): Promise<JsonObject> =>
  requestInRounds(upstream, method, params, answering(io, asker, signal), {
    signal,
    onProgress: ({ progress, total, message = '' }) =>
      void io.stderr.write(`${progress}${total === undefined ? '' : ` of ${total}`} ${safeText(message)}\n`),
    onNotification: (told, { level, data }) => {
      if (told === 'notifications/message') io.stderr.write(`${String(level)}: ${safeText(JSON.stringify(data))}\n`)
    },
  })

/** What the server asks is asked of the person; without one it is declined. */
function answering(io: Io, asker: Asker | undefined, signal: AbortSignal): ServerRequestHandler {
  return async ({ method, params }) => {
    if (method === 'roots/list') return { roots: [{ uri: pathToFileURL(io.cwd).href, name: 'here' }] }
    if (method !== 'elicitation/create') throw rpcError(-32601, `${method} cannot be answered by hand.`)
    if (asker === undefined) return { action: 'decline' }
    asker.say(safeText(`The server asks: ${String(params.message ?? '')}`))
    if (params.mode === 'url') return opened(String(params.url), asker, signal)
    const content = await askForm(isJsonObject(params.requestedSchema) ? params.requestedSchema : {}, asker, signal)
    return content === undefined ? { action: 'cancel' } : { action: 'accept', content }
  }
}

/** The address is shown and never opened by us: whoever reads it decides. */
async function opened(url: string, asker: Asker, signal: AbortSignal): Promise<JsonObject> {
  asker.say(safeText(`Open ${url}`))
  const typed = await asker.question('Done? (y, n: refuse) ', signal)
  if (typed === undefined) return { action: 'cancel' }
  return { action: /^y/i.test(typed.trim()) ? 'accept' : 'decline' }
}

type Names = Readonly<Record<'tools' | 'prompts' | 'addresses', ReadonlySet<string>>>

async function showServer(hand: Hand): Promise<Names> {
  const { io, upstream, json } = hand
  const info = await upstream.open(hand.signal)
  const [tools, resources, templates, prompts] = await Promise.all(
    (['tools', 'resources', 'resourceTemplates', 'prompts'] as const).map((kind) => listOf(hand, kind)),
  )
  const names: Names = {
    tools: namesOf(tools),
    prompts: namesOf(prompts),
    addresses: new Set([...namesOf(resources, 'uri'), ...namesOf(templates, 'uriTemplate')]),
  }
  if (json) {
    io.stdout.write(`${JSON.stringify({ ...info, tools, resources, resourceTemplates: templates, prompts })}\n`)
    return names
  }
  const { name, version } = info.serverInfo
  io.stdout.write(
    safeText(`${String(name ?? upstream.name)} ${String(version ?? '')}, ${info.era}, MCP ${info.version}\n`),
  )
  const section = (title: string, items: readonly JsonObject[] = []): void => {
    if (items.length > 0) io.stdout.write(`\n${title}\n${table(items.map(rowOf))}`)
  }
  section('Tools', tools)
  section('Resources', resources)
  section('Resource templates', templates)
  section('Prompts', prompts)
  return names
}

const namesOf = (items: readonly JsonObject[] = [], key = 'name'): ReadonlySet<string> =>
  new Set(items.map((item) => String(item[key])))

function rowOf({ name, uri, uriTemplate, description, title }: JsonObject): readonly string[] {
  const said = String(description ?? title ?? '').split('\n', 1)[0] ?? ''
  return [`  ${safeText(String(uri ?? uriTemplate ?? name))}`, safeText(said.slice(0, 100))]
}

const LISTS = {
  tools: ['tools/list', 'tools'],
  resources: ['resources/list', 'resources'],
  resourceTemplates: ['resources/templates/list', 'resources'],
  prompts: ['prompts/list', 'prompts'],
} as const

async function listOf({ upstream, signal }: Hand, kind: keyof typeof LISTS): Promise<readonly JsonObject[]> {
  const [method, capability] = LISTS[kind]
  const info = await upstream.open(signal)
  if (info.capabilities[capability] === undefined) return []
  const items: JsonObject[] = []
  let cursor: string | undefined
  for (let page = 0; page < 100; page++) {
    const result = await upstream
      .request(method, cursor === undefined ? {} : { cursor }, { signal, repeatable: true })
      .catch((error) => {
        // Templates are optional where there are resources.
        if (kind === 'resourceTemplates') return {} as JsonObject
        throw error
      })
    const found = result[kind]
    if (Array.isArray(found)) items.push(...found.filter((item) => isJsonObject(item)))
    if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break
    cursor = result.nextCursor
  }
  return items
}

function show({ io, json }: Hand, result: JsonObject): number {
  const parts = [result.content, result.contents, result.messages].flatMap((list) => (Array.isArray(list) ? list : []))
  if (json || parts.length === 0) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else for (const part of parts) io.stdout.write(`${safeText(textOf(isJsonObject(part) ? part : {}))}\n`)
  return result.isError === true ? EXIT.failed : EXIT.completed
}

function textOf(part: JsonObject): string {
  if (typeof part.text === 'string') return part.text
  if (isJsonObject(part.content)) return `${String(part.role)}: ${textOf(part.content)}`
  if (isJsonObject(part.resource)) return textOf(part.resource)
  const bytes = part.data ?? part.blob
  if (typeof bytes === 'string')
    return `[${String(part.mimeType ?? part.type)}, ${Buffer.byteLength(bytes, 'base64')} bytes]`
  return JSON.stringify(part)
}

function readArguments(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // Said below.
  }
  throw new HostError('usage', '--args must be a JSON object, such as {"path":"notes.md"}.')
}
