import { BUDGET_EXTENSION } from '../budget/budget-extension.js'
import { PeerError } from '../peer/peer-error.js'
import { type Binding, httpJson, jsonRpc } from '../peer/wire/binding.js'
import type { Dialect } from '../peer/wire/dialect.js'
import { DIALECT_0_3 } from '../peer/wire/dialect-0-3.js'
import { DIALECT_0_3_HTTP } from '../peer/wire/dialect-0-3-http.js'
import { DIALECT_1_0 } from '../peer/wire/dialect-1-0.js'
import type { AgentCard, CardInterface } from './agent-card.js'

export type ChosenInterface = {
  readonly offered: CardInterface
  readonly dialect: Dialect
  readonly binding: Binding
}

/** What we speak, by binding and version. */
const SPOKEN: Readonly<Record<string, { readonly dialect: Dialect; readonly binding: Binding }>> = {
  'JSONRPC 1.0': { dialect: DIALECT_1_0, binding: jsonRpc },
  'HTTP+JSON 1.0': { dialect: DIALECT_1_0, binding: httpJson },
  'JSONRPC 0.3': { dialect: DIALECT_0_3, binding: jsonRpc },
  'HTTP+JSON 0.3': { dialect: DIALECT_0_3_HTTP, binding: httpJson },
}

/**
 * The first interface of the card that we speak (spec 8.3.2).
 * @throws PeerError `peer-no-common-interface`, and `peer-refused` for an extension that we lack
 */
export function chooseInterface(card: AgentCard, peer: string): ChosenInterface {
  const extension = card.requiredExtensions.find((uri) => uri !== BUDGET_EXTENSION)
  if (extension !== undefined)
    throw new PeerError('peer-refused', `${peer} asks for the extension ${extension.slice(0, 200)}, which we lack.`)
  for (const offered of card.interfaces) {
    const name = `${offered.binding} ${offered.version}`
    const spoken = Object.hasOwn(SPOKEN, name) ? SPOKEN[name] : undefined
    if (spoken !== undefined) return { offered, ...spoken }
  }
  const offers = card.interfaces.map(({ binding, version }) => `${binding} ${version}`.slice(0, 80)).join(', ')
  throw new PeerError(
    'peer-no-common-interface',
    `${peer} offers ${offers.slice(0, 400)}. We speak ${Object.keys(SPOKEN).join(', ')}.`,
  )
}
