import { isJsonObject, type Json, type JsonObject } from '@tenon/kernel'
import { changeOfTool, type PinnedTool, pinOf } from '../catalogue/change-of-tool.js'
import type { ListKind } from '../catalogue/list-pages.js'
import { memoryPins, type PinStore } from '../catalogue/pins.js'
import { ServerCatalogue } from '../catalogue/server-catalogue.js'
import type { ToolEntry } from '../catalogue/tool-entry.js'
import type { Diagnose } from '../upstream/diagnostic.js'
import type { Upstream, UpstreamEvent, UpstreamInfo } from '../upstream/upstream.js'

/** Which lists a notification makes old. */
const CHANGES: Readonly<Record<string, readonly ListKind[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'templates'],
}

/** One connection with what it lists: held while the server tells of changes, asked for anew where it does not. */
export class ListedUpstream {
  readonly upstream: Upstream
  readonly catalogue: ServerCatalogue
  readonly #pins: PinStore | undefined
  readonly #held = new Set<ListKind>()
  /** Definitions as they were first listed: what calls are held to where no store of approvals is given. */
  readonly #firstSeen = new Map<string, PinnedTool>()
  #uris: ReadonlySet<string> = new Set()
  #starting: Promise<UpstreamInfo> | undefined

  constructor(
    upstream: Upstream,
    more: { readonly pins: PinStore | undefined; readonly trusted: boolean; readonly diagnose: Diagnose },
  ) {
    this.upstream = upstream
    this.#pins = more.pins
    const { trusted, diagnose } = more
    this.catalogue = new ServerCatalogue({ upstream, pins: more.pins ?? memoryPins(), trusted, diagnose })
    this.catalogue.onChange(() => {
      for (const entry of this.catalogue.tools)
        if (!this.#firstSeen.has(entry.name)) this.#firstSeen.set(entry.name, pinOf(entry))
    })
    upstream.on((event) => this.#outdated(event))
  }

  /** Opens the connection and listens to it; concurrent calls share one attempt, a failed one is tried again next time. */
  start(): Promise<UpstreamInfo> {
    this.#starting ??= this.#open().catch((error) => {
      this.#starting = undefined
      throw error
    })
    return this.#starting
  }

  async list(kind: ListKind): Promise<readonly Json[]> {
    const info = await this.start()
    if (this.#held.has(kind) && this.upstream.info !== undefined) return this.catalogue.held(kind)
    const items = await this.catalogue.list(kind)
    const capability = info.capabilities[kind === 'templates' ? 'resources' : kind]
    if (isJsonObject(capability) && capability.listChanged === true) this.#held.add(kind)
    return items
  }

  /** How a definition differs from the approved one; undefined when it does not. */
  changeOf(entry: ToolEntry): string | undefined {
    if (this.#pins === undefined) {
      const seen = this.#firstSeen.get(entry.name)
      return seen === undefined || seen.digest === entry.digest ? undefined : changeOfTool(seen, entry)
    }
    const standing = this.catalogue.standing(entry)
    if (standing.kind === 'changed') return standing.change
    return standing.kind === 'new' ? 'It was not there when this server was approved.' : undefined
  }

  /** The definition is approved as it is now. */
  agreed(entry: ToolEntry): void {
    if (this.#pins === undefined) this.#firstSeen.set(entry.name, pinOf(entry))
    else this.catalogue.approve([entry])
  }

  /** Resources whose changes are wanted to be heard of, besides the lists. */
  async follow(uris: ReadonlySet<string>): Promise<void> {
    if (uris.size === this.#uris.size && [...uris].every((uri) => this.#uris.has(uri))) return
    this.#uris = new Set(uris)
    if (this.upstream.info !== undefined) await this.catalogue.follow(this.#followed(this.upstream.info))
  }

  async close(): Promise<void> {
    this.catalogue.close()
    await this.upstream.close()
  }

  async #open(): Promise<UpstreamInfo> {
    const info = await this.upstream.open()
    // One listen stream for all clients and all kinds, opened before any list is read.
    await this.catalogue.follow(this.#followed(info)).catch(() => undefined)
    return info
  }

  #followed({ capabilities }: UpstreamInfo) {
    const tells = (area: string): boolean => {
      const capability: Json | undefined = (capabilities as JsonObject)[area]
      return isJsonObject(capability) && capability.listChanged === true
    }
    return { tools: tells('tools'), prompts: tells('prompts'), resources: tells('resources'), uris: [...this.#uris] }
  }

  #outdated(event: UpstreamEvent): void {
    if (event.kind === 'stale' || event.kind === 'lost' || (event.kind === 'opened' && event.again)) this.#held.clear()
    if (event.kind === 'notification') for (const kind of CHANGES[event.method] ?? []) this.#held.delete(kind)
  }
}
