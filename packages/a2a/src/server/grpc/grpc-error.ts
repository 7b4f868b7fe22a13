import {
  GrpcContentTypeNotSupportedError,
  GrpcExtendedAgentCardNotConfiguredError,
  GrpcExtensionSupportRequiredError,
  GrpcInvalidAgentResponseError,
  GrpcPushNotificationNotSupportedError,
  GrpcRequestMalformedError,
  GrpcTaskNotCancelableError,
  GrpcTaskNotFoundError,
  GrpcUnsupportedOperationError,
  GrpcVersionNotSupportedError,
} from '@a2a-js/sdk/errors/grpc'
import { status } from '@grpc/grpc-js'
import { told } from '../wire-errors.js'

const CLASSES = {
  TASK_NOT_FOUND: GrpcTaskNotFoundError,
  TASK_NOT_CANCELABLE: GrpcTaskNotCancelableError,
  PUSH_NOTIFICATION_NOT_SUPPORTED: GrpcPushNotificationNotSupportedError,
  UNSUPPORTED_OPERATION: GrpcUnsupportedOperationError,
  CONTENT_TYPE_NOT_SUPPORTED: GrpcContentTypeNotSupportedError,
  INVALID_AGENT_RESPONSE: GrpcInvalidAgentResponseError,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: GrpcExtendedAgentCardNotConfiguredError,
  EXTENSION_SUPPORT_REQUIRED: GrpcExtensionSupportRequiredError,
  VERSION_NOT_SUPPORTED: GrpcVersionNotSupportedError,
} as const

/** An error as the SDK's gRPC transport passes it on: our message, and the status that the binding prescribes. */
export function grpcError(thrown: unknown): Error {
  const { error, wire } = told(thrown)
  const known = wire.reason === undefined ? undefined : CLASSES[wire.reason as keyof typeof CLASSES]
  if (known !== undefined) return new known({ message: error.message })
  return new GrpcRequestMalformedError({ message: error.message, status: status[wire.status as keyof typeof status] })
}
