import { BinaryReader } from '@bufbuild/protobuf/wire'
import { type ServiceError, status } from '@grpc/grpc-js'
import { harmless } from '@tenon/kernel'
import { PeerError } from '../peer-error.js'
import { readA2aError } from '../wire/read-failure.js'

/** What a call that failed says. `local` is what our own side of the channel made of it. */
export function grpcFailure(peer: string, error: ServiceError): PeerError {
  const { code, details } = error
  const said = harmless(details, (text) => text).slice(0, 500)
  switch (code) {
    case status.UNAUTHENTICATED:
      return new PeerError(
        'peer-unauthenticated',
        `${peer} wants credentials. The user has to set them in the configuration.`,
      )
    case status.PERMISSION_DENIED:
      return new PeerError('peer-forbidden', `${peer} does not allow this with our credentials.`)
    case status.RESOURCE_EXHAUSTED:
      if (/larger than max/i.test(details))
        return new PeerError('peer-response-too-large', `${peer} answered with too large a message; it was not read.`)
      return new PeerError('peer-unavailable', `${peer} is busy (${said}).`, { repeatable: true })
    case status.UNAVAILABLE:
      return new PeerError('peer-unavailable', `${peer} cannot be reached (${said}).`, {
        cause: error,
        mayHaveRun: !/no connection established|failed to connect|name resolution/i.test(details),
      })
    case status.INTERNAL:
    case status.UNKNOWN:
    case status.DATA_LOSS:
    case status.ABORTED:
    case status.CANCELLED:
    case status.DEADLINE_EXCEEDED:
      return new PeerError('peer-unavailable', `${peer} failed (${status[code]}).`, { cause: error, mayHaveRun: true })
    default: {
      const reason = reasonOf(error) ?? (code === status.NOT_FOUND ? 'TASK_NOT_FOUND' : status[code])
      return readA2aError(peer, { message: details, status: reason ?? 'UNKNOWN' })
    }
  }
}

const DETAILS = 'grpc-status-details-bin'

/** The reason of the `google.rpc.ErrorInfo` among the details of a `google.rpc.Status` (spec 10.6). */
function reasonOf({ metadata }: ServiceError): string | undefined {
  const [bytes] = metadata?.get(DETAILS) ?? []
  if (!(bytes instanceof Uint8Array)) return undefined
  try {
    for (const any of fieldsOf(bytes, 3)) {
      const [type] = fieldsOf(any, 1)
      const [value] = fieldsOf(any, 2)
      if (type === undefined || value === undefined || !textOf(type).endsWith('google.rpc.ErrorInfo')) continue
      const [reason] = fieldsOf(value, 1)
      return reason && textOf(reason)
    }
  } catch {
    // Details that cannot be read are no details.
  }
  return undefined
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The length-delimited fields of a message that have this number. */
function fieldsOf(message: Uint8Array, wanted: number): readonly Uint8Array[] {
  const reader = new BinaryReader(message)
  const found: Uint8Array[] = []
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag()
    if (number === wanted && type === LENGTH_DELIMITED) found.push(reader.bytes())
    else reader.skip(type)
  }
  return found
}

const LENGTH_DELIMITED = 2
