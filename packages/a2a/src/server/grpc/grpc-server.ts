import type { IncomingMessage } from 'node:http'
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { A2AError } from '../../errors.js'
import type { A2AEndpoint } from '../a2a-endpoint.js'
import { grpcError } from './grpc-error.js'
import { type SdkCaller, sdkRequestHandler } from './sdk-request-handler.js'

export type GrpcServer = { readonly port: number; close(): void }

/**
 * One agent over gRPC, version 1.0, without TLS: put a proxy in front of it.
 * @throws A2AError `a2a-listen-failed`
 */
export async function openGrpcServer(
  endpoint: A2AEndpoint,
  at: { readonly host: string; readonly port: number },
  bodyLimit = 1024 * 1024,
): Promise<GrpcServer> {
  const server = new Server({ 'grpc.max_receive_message_length': bodyLimit })
  const { access } = endpoint.options
  server.addService(
    A2AService,
    grpcService({
      requestHandler: sdkRequestHandler(endpoint),
      async userBuilder(call): Promise<SdkCaller> {
        const gone = new AbortController()
        call.on('cancelled', () => gone.abort())
        try {
          const caller = await access.authenticate(asRequest(call.metadata.getMap(), call.getPeer()))
          return { isAuthenticated: caller.authenticated, userName: caller.owner, caller, signal: gone.signal }
        } catch (error) {
          throw grpcError(error)
        }
      },
    }),
  )
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${at.host}:${at.port}`, ServerCredentials.createInsecure(), (cause, bound) => {
      if (cause === null) resolve(bound)
      else reject(new A2AError('a2a-listen-failed', `${at.host}:${at.port} cannot be listened on for gRPC.`, { cause }))
    })
  })
  return { port, close: () => server.forceShutdown() }
}

/** What access looks at, of a call. */
function asRequest(metadata: Readonly<Record<string, unknown>>, peer: string): IncomingMessage {
  const headers = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]))
  const remoteAddress = peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage
}
