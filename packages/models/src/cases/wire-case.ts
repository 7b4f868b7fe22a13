import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json, JsonObject, Model } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { anthropicMessages, anthropicMessagesDialect } from '../anthropic-messages/anthropic-messages.js'
import { openAiChatDialect, openaiChat } from '../openai-chat/openai-chat.js'
import type { ThinkTags } from '../openai-chat/think-tags.js'
import { openAiResponsesDialect, openaiResponses } from '../openai-responses/openai-responses.js'
import type { WireDialect, WireOptions } from '../wire/wire-model.js'

/** One folder: what a provider sent, what of the request matters, and the right outcome. */
export type WireCase = {
  readonly name: string
  readonly body: Uint8Array
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Epoch milliseconds at which the answer is read. */
  readonly now: number
  readonly tools: readonly string[]
  /** The byte lengths in which it arrived. */
  readonly chunks: readonly number[] | undefined
  readonly expect: JsonObject
  readonly options: Omit<WireOptions, 'baseUrl'>
  readonly dialectName: string
  readonly stream: boolean
  readonly thinkTags: ThinkTags
}

/** The names of the cases in a folder, in order. */
export async function wireCaseNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
}

/** @throws Error where the folder is no case: a file is missing or not what it should be. */
export async function readWireCase(folder: string, name: string): Promise<WireCase> {
  const at = (file: string) => join(folder, name, file)
  const [request, response, expect, chunks, body] = await Promise.all([
    readJson(at('request.json')),
    readJson(at('response.json')),
    readJson(at('expect.json')),
    readJson(at('chunks.json')).catch(() => undefined),
    readFile(at('response.txt')),
  ])
  if (!isJsonObject(request) || !isJsonObject(response) || !isJsonObject(expect))
    throw new Error(`${name}: request.json, response.json and expect.json must be objects`)
  const deployment = isJsonObject(request.deployment) ? request.deployment : {}
  const model = typeof request.model === 'string' ? request.model : 'm-1'
  const now = typeof response.now === 'string' ? Date.parse(response.now) : Date.now()
  return {
    name,
    body,
    status: Number(response.status),
    headers: Object.fromEntries(
      Object.entries(isJsonObject(response.headers) ? response.headers : {}).map(([key, value]) => [
        key,
        String(value),
      ]),
    ),
    now,
    tools: (Array.isArray(request.tools) ? request.tools : []).map((tool: Json) =>
      isJsonObject(tool) ? String(tool.name) : String(tool),
    ),
    chunks: Array.isArray(chunks) ? chunks.map(Number) : undefined,
    expect,
    options: { provider: 'wire-case', model, now: () => now },
    dialectName: String(expect.dialect),
    stream: request.stream === true,
    thinkTags: (['leading', 'template', 'off'] as const).find((mode) => mode === deployment.thinkTags) ?? 'leading',
  }
}

async function readJson(path: string): Promise<Json> {
  return JSON.parse(await readFile(path, 'utf8')) as Json
}

/** The dialect's own code, as its constructor would put it together. */
export function dialectOf(wireCase: WireCase): WireDialect {
  const options = optionsOf(wireCase, 'http://127.0.0.1')
  if (wireCase.dialectName === 'openai-chat') return openAiChatDialect(options)
  if (wireCase.dialectName === 'openai-responses') return openAiResponsesDialect(options)
  if (wireCase.dialectName === 'anthropic-messages') return anthropicMessagesDialect(options)
  throw new Error(`${wireCase.name}: no dialect is called ${wireCase.dialectName}`)
}

/** The model behind a server at this address. */
export function modelOf(wireCase: WireCase, baseUrl: string): Model {
  const options = optionsOf(wireCase, baseUrl)
  if (wireCase.dialectName === 'openai-chat') return openaiChat(options)
  return wireCase.dialectName === 'openai-responses' ? openaiResponses(options) : anthropicMessages(options)
}

function optionsOf(wireCase: WireCase, baseUrl: string) {
  const { options, stream, thinkTags } = wireCase
  return { ...options, baseUrl, thinkTags, quirks: { stream } }
}
