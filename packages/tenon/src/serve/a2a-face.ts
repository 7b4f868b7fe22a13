import { dirname } from 'node:path'
import { A2AEndpoint, A2ASite, CardSigner, PushDesk, PushSender, SecretSeal, TaskService } from '@tenon/a2a'
import type { GrpcServer } from '@tenon/a2a/grpc'
import { HostError } from '../errors.js'
import type { Host } from '../host/host.js'
import type { Gate } from './gate.js'
import type { HttpFace } from './http-site.js'
import { publicAgent } from './public-agent.js'
import { publicAgentNames } from './public-agent-names.js'
import { serveKeys } from './serve-keys.js'
import { KEY_SET_PATH, webhookSigner } from './webhook-signer.js'

export type A2AFaceOptions = {
  readonly host: Host
  /** Where clients reach this server, without a slash at the end. */
  readonly url: string
  readonly gate: Gate
  /** Where gRPC listens, for agents that are served over it. */
  readonly address: string
  readonly report: (error: unknown) => void
}

/**
 * The public agents of a host over A2A. Webhooks are told from now on.
 * @throws HostError `config-invalid` when there is nobody to offer
 */
export async function a2aFace({ host, url, gate, address, report }: A2AFaceOptions): Promise<HttpFace> {
  const { engine, store, config } = host
  const serve = config.serve ?? {}
  const access = gate.accessFor('a2a')
  const keys = serveKeys(dirname(store.file))
  const seal = new SecretSeal(keys.seal)
  const allowed = serve.push?.allow ?? []
  const push = new PushDesk({ targets: store.pushes, seal, allowed })
  const pushSigner = webhookSigner(serve, keys, url)
  const sender = new PushSender({
    store,
    seal,
    allowed,
    ...(pushSigner === undefined ? {} : { signer: pushSigner }),
    report,
  })
  const signer =
    serve.sign === false ? undefined : new CardSigner(keys.cardKey, keys.cardKeyId, `${url}${KEY_SET_PATH}`)
  const endpoints = new Map<string, A2AEndpoint>()
  const grpc: GrpcServer[] = []
  for (const name of publicAgentNames(config)) {
    const agent = config.agents?.[name] ?? {}
    const base = `/a2a/${encodeURIComponent(name)}`
    const service = new TaskService(publicAgent(name, agent, serve, host.metadataOf), { engine, store, push })
    const port = agent.public?.grpc
    const endpoint = new A2AEndpoint({
      service,
      url: `${url}${base}`,
      access,
      report,
      ...(port === undefined ? {} : { grpcUrl: `${new URL(url).hostname}:${port}` }),
      ...(signer === undefined ? {} : { signer }),
      ...(serve.versions === undefined ? {} : { versions: serve.versions }),
      ...(serve.bodyLimit === undefined ? {} : { bodyLimit: serve.bodyLimit }),
    })
    endpoints.set(base, endpoint)
    if (port === undefined) continue
    const { openGrpcServer } = await import('@tenon/a2a/grpc')
    grpc.push(await openGrpcServer(endpoint, { host: address, port }, serve.bodyLimit))
  }
  const first = endpoints.get(`/a2a/${encodeURIComponent(config.agent ?? '')}`) ?? [...endpoints.values()][0]
  if (first === undefined) throw new HostError('config-invalid', 'No agent is public.')
  const published = signer ?? pushSigner
  const site = new A2ASite({ endpoints, first, ...(published === undefined ? {} : { signer: published }) })
  sender.start()
  return {
    addresses: [...endpoints.keys()].map((base) => `${url}${base}/.well-known/agent-card.json`),
    serve: (request, response) => site.serve(request, response),
    async close() {
      for (const server of grpc) server.close()
      await sender.stop()
    },
  }
}
