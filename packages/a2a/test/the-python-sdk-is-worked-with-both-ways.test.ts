import { describe, expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../test-support/needs.js'
import { startRequestServer } from '../src/cases/request-server.js'
import { hasPythonSdk, PYTHON_SDK, pythonClient, pythonServer } from './support/python-sdk.js'
import { worksWith } from './support/works-with.js'

const WAYS = [
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
  ['GRPC', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
] as const

describe.each(WAYS)('a server made with the Python SDK, over %s, version %s', (binding, version) => {
  if (needs(PYTHON_SDK, hasPythonSdk)) worksWith(() => pythonServer(binding, version))
  else test('is worked with', () => undefined)
})

describe('our server and the client of the Python SDK', () => {
  needs(PYTHON_SDK, hasPythonSdk)

  test.each(WAYS)('over %s, version %s: a result, a question with its answer, a cancel', async (binding, version) => {
    const server = await startRequestServer({ versions: [version], grpc: binding === 'GRPC' }, () => true)
    onTestFinished(() => server.stop())
    expect(await pythonClient(server.origin, binding)).toEqual([
      { step: 'echo', state: 'TASK_STATE_COMPLETED', said: expect.any(String), artifacts: ['over the hills'] },
      { step: 'asked', state: 'TASK_STATE_INPUT_REQUIRED', said: 'Which blue?', artifacts: [] },
      {
        step: 'answered',
        state: 'TASK_STATE_COMPLETED',
        said: expect.any(String),
        artifacts: ['Which blue? -> navy'],
      },
      { step: 'canceled', state: 'TASK_STATE_CANCELED', said: expect.any(String), artifacts: [] },
    ])
  })
})
