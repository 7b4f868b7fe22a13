import { BUDGET_EXTENSION } from '../budget/budget-extension.js'
import { PeerError } from '../peer/peer-error.js'
import { type Binding, httpJson, jsonRpc } from '../peer/wire/binding.js'
import type { Dialect } from '../peer/wire/dialect.js'
import { DIALECT_0_3 } from '../peer/wire/dialect-0-3.js'
import { DIALECT_1_0 } from '../peer/wire/dialect-1-0.js'
import type { AgentCard, CardInterface } from './agent-card.js'

export type ChosenInterface = {
  readonly offered: CardInterface
  readonly dialect: Dialect
  readonly binding: Binding
}

const DIALECTS: Readonly<Record<string, Dialect>> = { '1.0': DIALECT_1_0, '0.3': DIALECT_0_3 }
const BINDINGS: Readonly<Record<string, Binding>> = { JSONRPC: jsonRpc, 'HTTP+JSON': httpJson }

/**
 * The first interface of the card that we speak (spec 8.3.2).
 * @throws PeerError `peer-no-common-interface`, and `peer-refused` for an extension that we lack
 */
export function chooseInterface(card: AgentCard, peer: string): ChosenInterface {
  const extension = card.requiredExtensions.find((uri) => uri !== BUDGET_EXTENSION)
  if (extension !== undefined)
    throw new PeerError('peer-refused', `${peer} asks for the extension ${extension.slice(0, 200)}, which we lack.`)
  for (const offered of card.interfaces) {
    const dialect = Object.hasOwn(DIALECTS, offered.version) ? DIALECTS[offered.version] : undefined
    const binding = Object.hasOwn(BINDINGS, offered.binding) ? BINDINGS[offered.binding] : undefined
    if (dialect === undefined || binding === undefined) continue
    if (binding === httpJson && dialect.path === undefined) continue
    return { offered, dialect, binding }
  }
  const offers = card.interfaces.map(({ binding, version }) => `${binding} ${version}`.slice(0, 80)).join(', ')
  throw new PeerError(
    'peer-no-common-interface',
    `${peer} offers ${offers.slice(0, 400)}. We speak JSONRPC 1.0, HTTP+JSON 1.0 and JSONRPC 0.3.`,
  )
}
