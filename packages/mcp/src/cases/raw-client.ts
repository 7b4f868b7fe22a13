import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '@tenon/kernel'
import type { CaseTools } from './case-tools.js'
import type { Operation } from './mcp-case.js'

/** The client that comes with the cases: it recovers nothing and records everything. */
export type RawClient = {
  readonly events: readonly JsonObject[]
  readonly stdout: readonly Buffer[]
  readonly stderr: readonly Buffer[]
  readonly child?: { readonly pid?: number; readonly exitCode: number | null }
  readonly exited?: Promise<void>
  bytesOnly?: boolean
  open(): Promise<void> | undefined
  handshake(): Promise<JsonObject>
  close(): Promise<void>
}

type RawClientOptions = {
  readonly transport: string
  readonly era: string
  readonly command?: string
  readonly args?: readonly string[]
  readonly url?: string
  readonly token?: string
  readonly declares?: JsonObject
  readonly answers?: readonly unknown[]
  readonly timeoutMs?: number
}

export type ClientTools = {
  make(options: RawClientOptions): RawClient
  operate(operation: Operation, clients: Readonly<Record<string, RawClient>>): Promise<JsonObject | undefined>
}

export async function loadClientTools({ folder }: CaseTools): Promise<ClientTools> {
  const load = (name: string): Promise<unknown> => import(pathToFileURL(join(folder, name)).href)
  const { RawClient } = (await load('client.mjs')) as { RawClient: new (options: RawClientOptions) => RawClient }
  const { operate } = (await load('operations.mjs')) as Pick<ClientTools, 'operate'>
  return { make: (options) => new RawClient(options), operate }
}
