import { text } from '../content/block.js'
import type { CallId, ScopeId } from '../content/ids.js'
import { canonicalJson } from '../content/json.js'
import { hostMessage, userMessage } from '../content/message.js'
import { atMost, HOST } from '../content/provenance.js'
import type { Agent } from '../engine/agent.js'
import type { ViewSpec } from '../planner/command.js'
import type { Digest } from '../ports/digest.js'
import type { ModelRequest, ToolChoice, ToolDefinition } from '../ports/model.js'
import type { Tool } from '../ports/tool.js'
import type { RunState } from '../run/state.js'
import { estimateTokens } from './estimate.js'
import type { FramePart } from './frame.js'
import { systemParts, toolParts } from './manifest.js'
import type { PartRecord, ViewManifest } from './part.js'
import { shareOf } from './shares.js'

/** The part under which an agent's tools stand in the journal. */
export const TOOLS_PART = 'tools'
/** The part that tells the shape of the final answer, where the model cannot be held to it. */
const OUTPUT_PART = 'output-shape'

/** The frozen parts that an agent brings, as they enter the journal when a run first needs them. */
export function frameParts(agent: Agent, digest: Digest): readonly PartRecord[] {
  const window = agent.model.contextWindow
  const parts = agent.frame.map((part) => frozen(part, shareOf(part.kind, window, agent.shares), digest))
  if (!agent.output) return parts
  const written = JSON.stringify(agent.output.schema.json)
  const shape: FramePart = {
    partId: OUTPUT_PART,
    kind: 'instructions',
    provenance: HOST,
    text: `When you are done, give the final answer as one JSON value of this schema and nothing else:\n${written}`,
  }
  return [...parts, frozen(shape, Number.POSITIVE_INFINITY, digest)]
}

/** A part that is larger than its share loses its end, and says so. */
function frozen(part: FramePart, share: number, digest: Digest): PartRecord {
  const tokens = estimateTokens(part.text)
  if (tokens <= share) return { ...part, digest: digest(part.text), tokens }
  const kept = part.text.slice(0, Math.floor(part.text.length * (share / tokens)))
  const text = `${kept}\n[… the rest of ${part.partId} was left out: it is larger than its share of the context.]`
  return {
    ...part,
    text,
    digest: digest(text),
    tokens: estimateTokens(text),
    omittedTokens: tokens - estimateTokens(kept),
  }
}

const toolsParts = new WeakMap<readonly Tool[], PartRecord>()

/** The part for a list of tools; made once for a list, which must not change afterwards. */
export function toolsPart(tools: readonly Tool[], digest: Digest): PartRecord {
  let part = toolsParts.get(tools)
  if (!part) {
    part = makeToolsPart(tools, digest)
    toolsParts.set(tools, part)
  }
  return part
}

function makeToolsPart(tools: readonly Tool[], digest: Digest): PartRecord {
  const definitions = tools.map(
    ({ name, description, input }): ToolDefinition => ({ name, description, input: input.json }),
  )
  const written = canonicalJson(definitions as never)
  return {
    partId: TOOLS_PART,
    kind: 'tool-definitions',
    provenance: { source: 'host', trust: 'host' },
    text: '',
    tools: definitions,
    digest: digest(written),
    tokens: estimateTokens(written),
  }
}

export type View = { readonly request: ModelRequest; readonly manifest: ViewManifest }

/** Everything frozen at the head of a run's requests, made again only when a part changes. */
class Head {
  readonly system: ModelRequest['system']
  readonly tools: readonly ToolDefinition[]
  readonly tokens: number

  constructor(parts: ReadonlyMap<string, PartRecord>) {
    const offered = toolParts(parts)
    const system = systemParts(parts)
    this.system = system.map((part) => text(part.text))
    this.tools = offered.flatMap((part) => part.tools ?? [])
    this.tokens = [...system, ...offered].reduce((sum, part) => sum + part.tokens, 0)
  }
}

/**
 * Assembles what a model sees. The order is: frozen parts, then the scope's history, then a reminder that is kept
 * nowhere; so without its reminder a view is a prefix of the next one unless a rewrite lies between.
 */
export class Ledger {
  #head: Head | undefined
  #parts = -1

  constructor(
    readonly run: RunState,
    readonly agent: Agent,
  ) {}

  /** Call after a part was set. */
  forget(): void {
    this.#parts = -1
  }

  get #frozen(): Head {
    if (!this.#head || this.#parts !== this.run.parts.size) {
      this.#head = new Head(this.run.parts)
      this.#parts = this.run.parts.size
    }
    return this.#head
  }

  /** Estimated tokens of the next request of a scope. */
  tokens(scope: ScopeId): number {
    return this.#frozen.tokens + this.run.scope(scope).transcript.tokens
  }

  view(scope: ScopeId, spec: ViewSpec = {}): View {
    const { agent } = this
    const head = this.#frozen
    const { transcript, goal } = this.run.scope(scope)
    const extra = spec.results ? [this.#results(spec.results)] : []
    const kept = spec.history === 'goal-only' ? [goal] : transcript.messages
    const tail = spec.reminder === undefined ? extra : [...extra, hostMessage(spec.reminder)]
    const tools = spec.tools ? head.tools.filter((tool) => spec.tools?.includes(tool.name)) : head.tools
    const output = spec.output ?? this.#output(agent, tools)
    const toolChoice: ToolChoice =
      spec.toolChoice ?? (this.run.outputRejections > 0 && agent.output ? 'none' : this.#choice(agent))
    const request: ModelRequest = {
      system: head.system,
      messages: tail.length === 0 ? kept : [...kept, ...tail],
      tools,
      toolChoice,
      settings: agent.settings ?? NO_SETTINGS,
      cacheKey: this.run.submission.contextId,
      ...(output ? { output } : {}),
    }
    const manifest: ViewManifest = {
      window: agent.model.contextWindow,
      messages: kept.length,
      digest: transcript.digest,
      tokens: head.tokens + transcript.tokens,
    }
    if (spec.reminder === undefined && !agent.shares) return { request, manifest }
    const { reminder } = spec
    const more = {
      ...(agent.shares ? { shares: agent.shares } : {}),
      ...(reminder === undefined ? {} : { tokens: manifest.tokens + estimateTokens(reminder), reminder }),
    }
    return { request, manifest: { ...manifest, ...more } }
  }

  /** A named or required tool holds for the first turn only: held for ever, a run could not end. */
  #choice(agent: Agent): ToolChoice {
    const choice = agent.toolChoice ?? 'auto'
    if (choice === 'auto' || choice === 'none') return choice
    return this.run.calls.size === 0 ? choice : 'auto'
  }

  /** A schema on a turn that offers tools keeps some models from calling any, so there only the instructions name it. */
  #output(agent: Agent, tools: readonly ToolDefinition[]): ModelRequest['output'] {
    if (!agent.output || (tools.length > 0 && this.run.outputRejections === 0)) return undefined
    return { name: agent.output.name, schema: agent.output.schema.json }
  }

  #results(calls: readonly CallId[]): ReturnType<typeof userMessage> {
    const blocks = calls.flatMap((callId) => {
      const { name, content } = this.run.observation(callId)
      return [text(`Result of ${callId} (${name}):`), ...content]
    })
    const [first, ...others] = calls.map((callId) => this.run.observation(callId).provenance)
    const least = others.reduce((low, one) => (atMost(one.trust, low.trust) ? one : low), first ?? HOST)
    return userMessage(blocks, least)
  }
}

const NO_SETTINGS = Object.freeze({})
