import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { McpHost, McpHostOptions } from '../src/host/mcp-host.js'
import type { LogLevel } from '../src/upstream/log-level.js'
import type { EraName, UpstreamTarget } from '../src/upstream/upstream.js'
import { hostOf, verdictsOf } from './host-call.js'
import { said, served, serviceOf } from './served.js'

const EVERYTHING = fileURLToPath(new URL('../../../conformance/sdk-everything.mjs', import.meta.url))
function levelled(target: UpstreamTarget, logLevel: LogLevel, more: Partial<McpHostOptions>): McpHost {
  return hostOf([{ name: 'far', target, logLevel }], more)
}

/** One server of the SDK that logs "Tool execution started" and so on at the level `info`. */
async function linesAt(era: EraName, logLevel: LogLevel): Promise<readonly string[]> {
  const lines: string[] = []
  const onLog = (_: string, line: string): void => void lines.push(line)
  const target = { kind: 'stdio' as const, command: process.execPath, args: [EVERYTHING, era, 'stdio'] }
  const host = levelled(target, logLevel, { onLog })
  await host.server('far')?.upstream.request('tools/call', { name: 'test_tool_with_logging', arguments: {} })
  return lines
}

describe.each<EraName>(['modern', 'legacy'])('a %s server', (era) => {
  test('is heard from the level on that was chosen, and not below it', async () => {
    expect(await linesAt(era, 'info')).toEqual([
      'info Tool execution started',
      'info Tool processing data',
      'info Tool execution completed',
    ])
    expect(await linesAt(era, 'warning')).toEqual([])
  })

  test('puts no secret of ours into its log, and no more than is kept', async () => {
    const chatty = serviceOf(async ({ log }) => {
      for (let at = 0; at < 400; at++) log('info', { at, filler: '.'.repeat(100) }, 'chatty')
      log('error', { authorization: 'word-of-ours-1234' }, 'chatty')
      return said('done')
    })
    const info = chatty.info
    const logging = { ...chatty, info: async (caller: never) => withLogging(await info(caller)) }
    const host = levelled({ kind: 'http', url: await served(logging) }, 'info', {
      verdicts: verdictsOf(era),
      redact: (text) => text.replaceAll('word-of-ours-1234', '[secret]'),
    })
    await host.server('far')?.upstream.request('tools/call', { name: 'any', arguments: {} })
    const [state] = host.states
    expect(state?.info?.era).toBe(era)
    expect(state?.log).toContain('error chatty {"authorization":"[secret]"}')
    expect(state?.log).not.toContain('word-of-ours')
    expect(state?.log.length).toBeLessThanOrEqual(32_768)
  })
})

const withLogging = <T extends { readonly capabilities: object }>(info: T): T => ({
  ...info,
  capabilities: { ...info.capabilities, logging: {} },
})
