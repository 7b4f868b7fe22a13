import { isJsonObject } from '@tenon/kernel'
import { getJson } from './get-json.js'

/** A program on this machine that serves models in OpenAI's wire form. */
export type LocalServerKind = {
  /** The first part of a model's name: `ollama/…`. */
  readonly id: string
  readonly title: string
  readonly origin: string
  /** Environment variable that moves the origin, where the program knows one. */
  readonly originVariable?: string
  /** Where the list of models stands, below the origin. */
  readonly listPath: string
  /** Tokens of context that it is started with where nobody says otherwise. */
  readonly usualWindow: number
  /** Environment variable that says otherwise. */
  readonly windowVariable?: string
}

type ServedModel = {
  readonly model: string
  /** Tokens, where the server says it. */
  readonly contextWindow?: number
}

/** A server that answered, with what it offers for chat. */
export type LocalServer = {
  readonly id: string
  readonly title: string
  readonly baseUrl: string
  readonly models: readonly ServedModel[]
}

/** Servers in the order in which they are taken. */
export const LOCAL_SERVERS: readonly LocalServerKind[] = [
  {
    id: 'ollama',
    title: 'Ollama',
    origin: 'http://127.0.0.1:11434',
    originVariable: 'OLLAMA_HOST',
    listPath: '/api/tags',
    usualWindow: 4096,
    windowVariable: 'OLLAMA_CONTEXT_LENGTH',
  },
  {
    id: 'lmstudio',
    title: 'LM Studio',
    origin: 'http://127.0.0.1:1234',
    listPath: '/api/v0/models',
    usualWindow: 4096,
  },
  { id: 'llamacpp', title: 'llama.cpp', origin: 'http://127.0.0.1:8080', listPath: '/v1/models', usualWindow: 8192 },
  { id: 'vllm', title: 'vLLM', origin: 'http://127.0.0.1:8000', listPath: '/v1/models', usualWindow: 8192 },
]

export function localServerById(id: string): LocalServerKind | undefined {
  return LOCAL_SERVERS.find((server) => server.id === id)
}

type Environment = Readonly<Record<string, string | undefined>>

/** Where a server is looked for. A host without a scheme or port, as `OLLAMA_HOST` may be, gets the usual ones. */
export function originOf(server: LocalServerKind, env: Environment): string {
  const moved = server.originVariable === undefined ? undefined : env[server.originVariable]
  if (moved === undefined || moved === '') return server.origin
  try {
    const url = new URL(moved.includes('://') ? moved : `http://${moved}`)
    // 0.0.0.0 is where a server listens, not where a client calls.
    if (url.hostname === '0.0.0.0' || url.hostname === '') url.hostname = '127.0.0.1'
    if (url.port === '' && url.protocol === 'http:') url.port = new URL(server.origin).port
    return url.origin
  } catch {
    return server.origin
  }
}

/** Tokens that a server's models hold where the server does not tell: what is too much is cut off there silently. */
export function usualWindow(server: LocalServerKind, env: Environment): number {
  const said = server.windowVariable === undefined ? Number.NaN : Number(env[server.windowVariable])
  return Number.isInteger(said) && said > 0 ? said : server.usualWindow
}

export type ProbeOptions = {
  readonly env: Environment
  /** All servers are asked at once and none is waited for longer than this. 300 if absent. */
  readonly timeoutMs?: number
  readonly servers?: readonly LocalServerKind[]
}

/** Asks the usual places on this machine. Whoever does not answer in time, or not as a model server, is not there. */
export async function probeLocalServers(options: ProbeOptions): Promise<readonly LocalServer[]> {
  const { env, timeoutMs = 300, servers = LOCAL_SERVERS } = options
  const answers = await Promise.all(servers.map((server) => probe(server, originOf(server, env), timeoutMs)))
  return answers.filter((answer) => answer !== undefined)
}

const LIST_LIMIT = 4 * 1024 * 1024

async function probe(server: LocalServerKind, origin: string, timeoutMs: number): Promise<LocalServer | undefined> {
  try {
    const models = servedModels(await getJson(origin + server.listPath, timeoutMs, LIST_LIMIT))
    return models && { id: server.id, title: server.title, baseUrl: `${origin}/v1`, models }
  } catch {
    return undefined
  }
}

/** Reads Ollama's list (`models[].name`) and OpenAI's (`data[].id`); undefined for anything else. */
function servedModels(list: unknown): readonly ServedModel[] | undefined {
  if (!isJsonObject(list)) return undefined
  const entries = list.models ?? list.data
  if (!Array.isArray(entries)) return undefined
  const models: ServedModel[] = []
  for (const entry of entries as readonly unknown[]) {
    if (!isJsonObject(entry)) continue
    const model = entry.id ?? entry.name ?? entry.model
    if (typeof model !== 'string' || entry.type === 'embeddings' || /embed|rerank/i.test(model)) continue
    const window = windowOf(entry)
    models.push(window === undefined ? { model } : { model, contextWindow: window })
  }
  return models
}

/** LM Studio tells what is loaded, vLLM the longest, llama.cpp what the model was trained for. */
function windowOf(entry: Readonly<Record<string, unknown>>): number | undefined {
  const meta = isJsonObject(entry.meta) ? entry.meta : {}
  const told = [
    entry.loaded_context_length,
    entry.max_model_len,
    meta.n_ctx,
    entry.max_context_length,
    meta.n_ctx_train,
  ]
  return told.find((value): value is number => typeof value === 'number' && value > 0)
}
