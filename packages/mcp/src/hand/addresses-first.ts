import { isJsonObject, type JsonObject } from '@tenon/kernel'
import { rpcDetail } from '../errors.js'

const URL_ELICITATION_REQUIRED = -32042

/**
 * The addresses that a server wants opened before it takes a request at all, each as the question that it is
 * (2025-11-25, elicitation, URL mode). Undefined for every other error. The request did not run.
 */
export function addressesFirst(error: unknown): Readonly<Record<string, JsonObject>> | undefined {
  const rpc = rpcDetail(error)
  if (rpc?.code !== URL_ELICITATION_REQUIRED || !isJsonObject(rpc.data)) return undefined
  const { elicitations } = rpc.data
  if (!Array.isArray(elicitations)) return undefined
  const questions: Record<string, JsonObject> = {}
  for (const [at, params] of elicitations.entries())
    if (isJsonObject(params) && params.mode === 'url')
      questions[typeof params.elicitationId === 'string' ? params.elicitationId : `address-${at + 1}`] = {
        method: 'elicitation/create',
        params,
      }
  return Object.keys(questions).length === 0 ? undefined : questions
}
