import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ended } from '../skills/ended.mjs'

/**
 * The library of `srt`, warm: its command takes ten times as long.
 * @param {(text: string) => void} note
 * @returns {Promise<{ start: (command: string[]) => Promise<number | null>, close: () => Promise<void> } | undefined>}
 */
export async function sandboxRuntime(note) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-srt-'))
  try {
    const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime')
    await SandboxManager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [folder], denyWrite: [] },
    })
    return {
      async start(command) {
        const line = await SandboxManager.wrapWithSandbox(command.map((word) => `'${word}'`).join(' '))
        const { PATH = '' } = process.env
        return ended(spawn('/bin/sh', ['-c', line], { env: { PATH }, cwd: folder }))
      },
      async close() {
        await SandboxManager.reset()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    note(`srt is not measured: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
