import type { Json } from '@tenon/kernel'
import { isJsonObject } from '@tenon/kernel'
import { ArgumentText } from '../wire/argument-text.js'
import type { CallDraft } from '../wire/call-draft.js'
import type { Diagnostic } from '../wire/diagnostic.js'
import type { ToolNames } from '../wire/tool-names.js'

/** Fields of a call that its provider wants back beside it: the signature of the thought that led to it hangs there. */
const CALL_EXTRAS = ['extra_content', 'provider_specific_fields'] as const

type Report = (diagnostic: Diagnostic) => void
type FragmentEvents = {
  readonly began: (call: CallDraft) => void
  readonly grew: (call: CallDraft, text: string) => void
}

/**
 * Puts calls together from the fragments of a stream. A fragment belongs to its index; without one to its id, or, with
 * neither id nor name, to the last call. At a used index another id with a name begins a new call.
 */
export class ToolFragments {
  readonly calls: CallDraft[] = []
  readonly #tools: ToolNames
  readonly #report: Report
  readonly #events: FragmentEvents
  readonly #atIndex = new Map<string, CallDraft>()
  #legacy: CallDraft | undefined

  constructor(tools: ToolNames, report: Report, events: FragmentEvents) {
    this.#tools = tools
    this.#report = report
    this.#events = events
  }

  /** `whole`: an entry of a finished message, which is a call of its own and needs no index. */
  add(value: Json, whole: boolean): void {
    if (!isJsonObject(value)) return
    const spec = isJsonObject(value.function) ? value.function : {}
    const id = textOf(value.id)
    const name = textOf(spec.name)
    const piece = spec.arguments
    if (value.type === 'custom') {
      this.#report('unknown-part')
      return
    }
    const index = indexOf(value.index)
    if (!whole && index === undefined) this.#report('tool-index-missing')
    let call = whole ? undefined : index === undefined ? this.#byId(id, name) : this.#byIndex(index, id, name)
    if (call === undefined) {
      if (id === '' && name === '' && (piece === undefined || piece === null || piece === '')) return
      call = this.#begin(name)
      if (index !== undefined) this.#atIndex.set(index, call)
      call.id = id
    } else {
      if (call.id === '') call.id = id
      else if (id !== '' && id !== call.id) this.#report('tool-id-changed')
      this.#addName(call, name)
    }
    this.#addArguments(call, piece)
    for (const key of CALL_EXTRAS) {
      const extra = value[key]
      if (extra !== undefined && extra !== null)
        call.raw = { ...(isJsonObject(call.raw) ? call.raw : {}), [key]: extra }
    }
  }

  /** The field from before there were several calls a turn. */
  addLegacy(value: Json | undefined): void {
    if (!isJsonObject(value)) return
    const name = textOf(value.name)
    if (this.#legacy === undefined) {
      if (name === '' && textOf(value.arguments) === '') return
      this.#report('legacy-function-call')
      this.#legacy = this.#begin(name)
    } else this.#addName(this.#legacy, name)
    this.#addArguments(this.#legacy, value.arguments)
  }

  #begin(name: string): CallDraft {
    const call: CallDraft = { id: '', name, args: new ArgumentText() }
    this.calls.push(call)
    this.#events.began(call)
    return call
  }

  #byIndex(index: string, id: string, name: string): CallDraft | undefined {
    const last = this.#atIndex.get(index)
    if (last === undefined) return undefined
    if (id === '' || last.id === '' || last.id === id) return last
    if (name === '') return last
    this.#report('tool-index-reused')
    return undefined
  }

  #byId(id: string, name: string): CallDraft | undefined {
    const last = this.calls.at(-1)
    if (id === '') return name === '' ? last : undefined
    const same = this.calls.find((call) => call.id === id)
    return same ?? (name === '' && last?.id === '' ? last : undefined)
  }

  #addName(call: CallDraft, piece: string): void {
    if (piece === '') return
    if (call.name === '') call.name = piece
    else if (!call.args.arrived && this.#tools.begins(call.name + piece)) {
      call.name += piece
      this.#report('tool-name-split')
    } else this.#report('tool-name-repeated')
  }

  #addArguments(call: CallDraft, piece: Json | undefined): void {
    call.args.add(piece, this.#report)
    if (typeof piece === 'string' && piece !== '') this.#events.grew(call, piece)
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function indexOf(value: Json | undefined): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined
}
