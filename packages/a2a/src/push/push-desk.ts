import { type RunId, sortableId } from '@tenon/kernel'
import type { PushTargets } from '@tenon/store'
import { A2AError } from '../errors.js'
import type { WirePushConfig } from '../mapping/wire-types.js'
import { checkedAddress } from '../net/checked-address.js'
import { isAllowedHost } from '../net/is-allowed-host.js'
import { invalid } from '../tasks/invalid-field.js'
import type { PushConfigRequest } from '../tasks/requests.js'
import type { SecretSeal } from './secret-seal.js'

/** What is kept of a webhook. What its owner keeps secret is sealed. */
export type PushBody = {
  readonly url: string
  readonly version: '1.0' | '0.3'
  readonly token?: string
  readonly scheme?: string
  readonly credentials?: string
}

export type PushDeskOptions = {
  readonly targets: PushTargets
  readonly seal: SecretSeal
  /** Hosts that webhooks may have although they are not public, or cannot be looked up. */
  readonly allowed: readonly string[]
  /** Webhooks of one task. */
  readonly most?: number
}

const MOST = 10

/** Who is told of a task over webhooks. */
export class PushDesk {
  constructor(readonly options: PushDeskOptions) {}

  /** @throws A2AError `a2a-invalid-params` for an address that is not public http or https */
  check({ url, id }: PushConfigRequest): URL {
    if (id !== undefined && id.length > 256) throw invalid('id', 'is too long')
    if (!/^https?:\/\//i.test(url)) throw invalid('url', 'is no http or https address')
    try {
      const address = checkedAddress(url, this.options.allowed, 'The webhook')
      const isLocalName = /(^|\.)(localhost|local|internal|home\.arpa)$/i.test(address.hostname)
      if (!isLocalName || isAllowedHost(address, this.options.allowed)) return address
    } catch {
      // Told below in one form, whatever was wrong with it.
    }
    throw invalid('url', 'is no address that webhooks may have: http or https on a public host, or one that is allowed')
  }

  /** Tells the webhook of everything after event `seq`. */
  put(runId: RunId, config: PushConfigRequest, version: PushBody['version'], seq: number): WirePushConfig {
    const { targets, seal, most = MOST } = this.options
    const { host } = this.check(config)
    const id = config.id || `push_${sortableId()}`
    if (targets.get(runId, id) === undefined && targets.list(runId).length >= most)
      throw invalid('config', `is one too many: a task may have ${most}`)
    const { scheme, credentials } = config.authentication ?? {}
    const body: PushBody = {
      url: config.url,
      version,
      ...(config.token ? { token: seal.seal(config.token) } : {}),
      ...(scheme ? { scheme } : {}),
      ...(credentials ? { credentials: seal.seal(credentials) } : {}),
    }
    targets.put({ runId, id, body: JSON.stringify(body), host, seq })
    return shown(runId, id, body)
  }

  /** @throws A2AError `a2a-task-not-found` */
  get(runId: RunId, id: string): WirePushConfig {
    const target = this.options.targets.get(runId, id)
    if (target === undefined) throw new A2AError('a2a-task-not-found', 'There is no such push configuration.')
    return shown(runId, id, JSON.parse(target.body) as PushBody)
  }

  list(runId: RunId): readonly WirePushConfig[] {
    return this.options.targets.list(runId).map(({ id, body }) => shown(runId, id, JSON.parse(body) as PushBody))
  }

  remove(runId: RunId, id: string): void {
    this.options.targets.remove(runId, id)
  }
}

/** Secrets are not given back. */
const shown = (taskId: string, id: string, { url, scheme }: PushBody): WirePushConfig => ({
  taskId,
  id,
  url,
  ...(scheme === undefined ? {} : { authentication: { scheme } }),
})
