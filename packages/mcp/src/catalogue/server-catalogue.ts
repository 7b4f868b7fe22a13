import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { McpError } from '../errors.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import type { FollowFilter, Upstream, UpstreamEvent } from '../upstream/upstream.js'
import { changeOfTool, pinOf } from './change-of-tool.js'
import { type ListKind, listPages } from './list-pages.js'
import type { PinStore } from './pins.js'
import { RefreshPace } from './refresh-pace.js'
import { isRenamed } from './shown-name.js'
import { readTool, type ToolEntry } from './tool-entry.js'

export type CatalogueOptions = {
  readonly upstream: Upstream
  readonly pins: PinStore
  /** The hints of this server are believed. */
  readonly trusted: boolean
  readonly diagnose: Diagnose
}

/** How a tool stands to what was approved. */
export type Standing =
  | { readonly kind: 'approved' }
  /** Nothing of this server was approved yet. */
  | { readonly kind: 'unpinned' }
  | { readonly kind: 'changed'; readonly change: string }
  /** Came after the approval. */
  | { readonly kind: 'new' }

type Shelf = {
  items: readonly Json[]
  /** Somebody asked for it. */
  wanted: boolean
  freshUntil: number
  loaded: boolean
  loading: Promise<readonly Json[]> | undefined
  /** The reading after that one, which somebody waits for. */
  next: Promise<readonly Json[]> | undefined
}

const KINDS: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts']
const NOTIFIED: Readonly<Record<string, readonly ListKind[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'templates'],
}
const MAX_READS = 100

/** What one server offers, as it was last listed; listed again when the server says so or when it came back. */
export class ServerCatalogue {
  readonly #shelves: Record<ListKind, Shelf>
  readonly #paces: Record<ListKind, RefreshPace>
  readonly #reads = new Map<string, { readonly result: JsonObject; readonly until: number }>()
  readonly #listeners = new Set<() => void>()
  readonly #off: () => void
  #tools: readonly ToolEntry[] = []
  #filter: FollowFilter = {}

  constructor(readonly options: CatalogueOptions) {
    const each = <T>(make: (kind: ListKind) => T): Record<ListKind, T> => ({
      tools: make('tools'),
      resources: make('resources'),
      templates: make('templates'),
      prompts: make('prompts'),
    })
    this.#shelves = each(() => ({
      items: [],
      wanted: false,
      freshUntil: 0,
      loaded: false,
      loading: undefined,
      next: undefined,
    }))
    this.#paces = each(
      (kind) =>
        new RefreshPace(
          () => this.list(kind, true),
          () => options.diagnose('list-changes-throttled', `${kind} of ${options.upstream.name}`),
        ),
    )
    this.#off = options.upstream.on((event) => this.#hear(event))
  }

  /** As it is held, without asking the server. */
  get tools(): readonly ToolEntry[] {
    return this.#tools
  }

  held(kind: ListKind): readonly Json[] {
    return this.#shelves[kind].items
  }

  /**
   * Asks the server unless what is held is fresh; `again` asks whatever is held, and for what is the case from now on: a
   * reading that is under way may have missed the change that it is about. Calls that can share a reading do.
   */
  list(kind: ListKind, again = false): Promise<readonly Json[]> {
    const shelf = this.#shelves[kind]
    shelf.wanted = true
    if (!again && shelf.loaded && shelf.freshUntil > Date.now()) return Promise.resolve(shelf.items)
    if (!again || shelf.loading === undefined) return this.#reading(kind, shelf)
    // Where that one fails, so does this: a server that ends when it is asked would be started again and again.
    shelf.next ??= shelf.loading
      .finally(() => {
        shelf.next = undefined
      })
      .then(() => this.#reading(kind, shelf))
    return shelf.next
  }

  #reading(kind: ListKind, shelf: Shelf): Promise<readonly Json[]> {
    shelf.loading ??= this.#load(kind, shelf).finally(() => {
      shelf.loading = undefined
    })
    return shelf.loading
  }

  async findTool(name: string): Promise<ToolEntry> {
    if (!this.#shelves.tools.loaded) await this.list('tools')
    const found = this.#tools.find((entry) => entry.name === name)
    if (found === undefined)
      throw new McpError('mcp-unknown-tool', `${this.options.upstream.name} has no tool "${name}" that can be used.`)
    return found
  }

  /** Reads a resource; what a modern server lets us keep is kept for that long. */
  async read(uri: string): Promise<JsonObject> {
    const known = this.#reads.get(uri)
    if (known !== undefined && known.until > Date.now()) return known.result
    const result = await this.options.upstream.request('resources/read', { uri }, { repeatable: true })
    const ttlMs = typeof result.ttlMs === 'number' ? result.ttlMs : 0
    this.#reads.delete(uri)
    if (ttlMs > 0) this.#reads.set(uri, { result, until: Date.now() + Math.min(ttlMs, 86_400_000) })
    const [oldest] = this.#reads.keys()
    if (this.#reads.size > MAX_READS && oldest !== undefined) this.#reads.delete(oldest)
    return result
  }

  async follow(filter: FollowFilter): Promise<void> {
    this.#filter = { ...filter }
    await this.options.upstream.follow(this.#filter)
  }

  standing(entry: ToolEntry): Standing {
    const pins = this.options.pins.load(entry.server)
    if (pins === null) return { kind: 'unpinned' }
    const pin = pins[entry.name]
    if (pin === undefined) return { kind: 'new' }
    return pin.digest === entry.digest ? { kind: 'approved' } : { kind: 'changed', change: changeOfTool(pin, entry) }
  }

  /** Approves these tools as they are now. */
  approve(entries: readonly ToolEntry[]): void {
    const { pins, upstream } = this.options
    const kept = { ...pins.load(upstream.name) }
    for (const entry of entries) kept[entry.name] = pinOf(entry)
    pins.save(upstream.name, kept)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#off()
    for (const kind of KINDS) this.#paces[kind].stop()
  }

  async #load(kind: ListKind, shelf: Shelf): Promise<readonly Json[]> {
    const { upstream, diagnose } = this.options
    const { items, ttlMs } = await listPages(upstream, kind, diagnose)
    shelf.items = kind === 'tools' ? this.#takeTools(items) : items.filter((item) => isJsonObject(item))
    const first = !shelf.loaded
    shelf.loaded = true
    shelf.freshUntil = Date.now() + Math.min(ttlMs, 86_400_000)
    if (first) await this.#hearOfChanges(kind)
    for (const listener of this.#listeners) listener()
    return shelf.items
  }

  /** Once a list was read, changes of it are wanted to be heard of. */
  async #hearOfChanges(kind: ListKind): Promise<void> {
    const { upstream } = this.options
    const place = kind === 'templates' ? 'resources' : kind
    const capability = upstream.info?.capabilities[place]
    if (this.#filter[place] || !isJsonObject(capability) || capability.listChanged !== true) return
    await this.follow({ ...this.#filter, [place]: true }).catch(() => {})
  }

  #takeTools(items: readonly Json[]): readonly Json[] {
    const { upstream, diagnose, trusted } = this.options
    const entries: ToolEntry[] = []
    const kept: Json[] = []
    const names = new Set<string>()
    for (const item of items) {
      const reading = readTool(upstream.name, item, upstream.info?.era === 'modern')
      if (!reading.ok) {
        diagnose('tool-skipped', `${reading.name}: ${reading.reason}`)
        continue
      }
      const { entry, outputFault } = reading
      if (names.has(entry.name)) {
        diagnose('tool-name-duplicate', entry.name)
        continue
      }
      names.add(entry.name)
      if (isRenamed(entry.name, entry.shownName))
        diagnose('tool-renamed', `${entry.name} is shown as ${entry.shownName}`)
      if (outputFault !== undefined) diagnose('output-schema-unusable', `${entry.name}: ${outputFault}`)
      if (!trusted && (entry.hints.readOnly || entry.hints.idempotent)) diagnose('annotations-ignored', entry.name)
      const standing = this.standing(entry)
      if (standing.kind === 'changed') diagnose('definition-changed', `${entry.name}\n${standing.change}`)
      if (standing.kind === 'new') diagnose('tool-quarantined', entry.name)
      entries.push(entry)
      kept.push(item)
    }
    this.#tools = entries
    return kept
  }

  #hear(event: UpstreamEvent): void {
    if (event.kind === 'stale' || (event.kind === 'opened' && event.again)) {
      this.#reads.clear()
      for (const kind of KINDS) {
        this.#shelves[kind].freshUntil = 0
        if (this.#shelves[kind].wanted) this.#paces[kind].cameBack()
      }
    }
    if (event.kind !== 'notification') return
    const { uri } = event.params
    if (event.method === 'notifications/resources/updated' && typeof uri === 'string') this.#reads.delete(uri)
    this.#changed(NOTIFIED[event.method] ?? [])
  }

  #changed(kinds: readonly ListKind[]): void {
    for (const kind of kinds) {
      this.#shelves[kind].freshUntil = 0
      if (this.#shelves[kind].wanted) this.#paces[kind].changed()
    }
  }
}
