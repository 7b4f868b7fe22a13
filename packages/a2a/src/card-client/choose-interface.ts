import { BUDGET_EXTENSION } from '../budget/budget-extension.js'
import { PeerError } from '../peer/peer-error.js'
import { type Binding, httpJson, jsonRpc } from '../peer/wire/binding.js'
import type { Dialect } from '../peer/wire/dialect.js'
import { DIALECT_0_3 } from '../peer/wire/dialect-0-3.js'
import { DIALECT_0_3_HTTP } from '../peer/wire/dialect-0-3-http.js'
import { DIALECT_1_0 } from '../peer/wire/dialect-1-0.js'
import type { AgentCard, CardInterface } from './agent-card.js'

type Spoken =
  | { readonly over: 'http'; readonly dialect: Dialect; readonly binding: Binding }
  | { readonly over: 'grpc' }

export type ChosenInterface = { readonly offered: CardInterface; readonly spoken: Spoken }

/** What we speak, by binding and version. */
const SPOKEN: ReadonlyMap<string, Spoken> = new Map([
  ['JSONRPC 1.0', { over: 'http', dialect: DIALECT_1_0, binding: jsonRpc }],
  ['HTTP+JSON 1.0', { over: 'http', dialect: DIALECT_1_0, binding: httpJson }],
  ['GRPC 1.0', { over: 'grpc' }],
  ['JSONRPC 0.3', { over: 'http', dialect: DIALECT_0_3, binding: jsonRpc }],
  ['HTTP+JSON 0.3', { over: 'http', dialect: DIALECT_0_3_HTTP, binding: httpJson }],
])

/**
 * The first interface of the card that we speak (spec 8.3.2); gRPC only where there is none over HTTP, because what is
 * between us and the peer is made for HTTP.
 *
 * @throws PeerError `peer-no-common-interface`, and `peer-refused` for an extension that we lack
 */
export function chooseInterface(card: AgentCard, peer: string): ChosenInterface {
  const extension = card.requiredExtensions.find((uri) => uri !== BUDGET_EXTENSION)
  if (extension !== undefined)
    throw new PeerError('peer-refused', `${peer} asks for the extension ${extension.slice(0, 200)}, which we lack.`)
  const known = card.interfaces.flatMap((offered): readonly ChosenInterface[] => {
    const spoken = SPOKEN.get(`${offered.binding} ${offered.version}`)
    return spoken === undefined ? [] : [{ offered, spoken }]
  })
  const chosen = known.find(({ spoken }) => spoken.over === 'http') ?? known[0]
  if (chosen !== undefined) return chosen
  const offers = card.interfaces.map(({ binding, version }) => `${binding} ${version}`.slice(0, 80)).join(', ')
  throw new PeerError(
    'peer-no-common-interface',
    `${peer} offers ${offers.slice(0, 400)}. We speak ${[...SPOKEN.keys()].join(', ')}.`,
  )
}
