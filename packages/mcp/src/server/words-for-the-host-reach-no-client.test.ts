import { KernelError } from '@tenon/kernel'
import { expect, test } from 'vitest'
import { McpError } from '../errors.js'
import { faultForClient } from './rpc-reply.js'

const FAILED = 'The server failed to answer this request.'

// Each error that may be shown to a person was shown to every client, which may be anybody's, and hand it to its model.
test('a client is told the words of an error that a model may read, and of any other its code at most', () => {
  expect(faultForClient(new KernelError('artifact-unknown', 'There is no artifact a1.'))).toEqual({
    code: -32603,
    message: 'There is no artifact a1.',
    data: { reason: 'artifact-unknown' },
  })
  expect(faultForClient(new McpError('mcp-stdout-noise', '/srv/app/run.sh says: token=abc'))).toEqual({
    code: -32603,
    message: FAILED,
    data: { reason: 'mcp-stdout-noise' },
  })
  expect(faultForClient(new Error('ENOENT: /srv/app'))).toEqual({ code: -32603, message: FAILED })
})
