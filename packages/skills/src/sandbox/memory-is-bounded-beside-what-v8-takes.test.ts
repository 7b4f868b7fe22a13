import { describe, expect, onTestFinished, test } from 'vitest'
import { needs } from '../../../../test-support/needs.js'
import { bubblewrap } from './bubblewrap.js'
import { landlock } from './landlock.js'
import { SANDBOX_LIMITS, V8_OVERHEAD } from './limits.js'
import { programOnPath } from './program-on-path.js'
import type { Sandbox } from './sandbox.js'
import { sandboxRuntime } from './sandbox-runtime.js'
import { stageFolder } from './stage-folder.js'

needs('Linux', () => process.platform === 'linux')
needs('socat and ripgrep', () => programOnPath('socat') !== undefined && programOnPath('rg') !== undefined)

const MB = 1024 * 1024

async function printedBy(sandbox: Sandbox, program: string): Promise<string> {
  const stage = stageFolder('work')
  onTestFinished(() => stage.remove())
  const { stdout } = await sandbox.run({
    folders: {
      work: { path: stage.at('work'), access: 'write', staged: true },
      node: { path: process.execPath, access: 'read', keepPath: true },
    },
    home: 'work',
    launch: (at) => ({ command: [process.execPath, '-e', program], cwd: at('work') }),
    limits: { ...SANDBOX_LIMITS, wallMs: 30_000, overhead: V8_OVERHEAD },
  })
  return stdout.text.trim()
}

describe.each([bubblewrap(), landlock(), sandboxRuntime()])('$name', (sandbox) => {
  // Each reserves ten gigabytes of addresses. `fetch` has one: without it a script with network reaches nothing.
  test('a script has the WebAssembly that fetch needs', async () => {
    expect(await printedBy(sandbox, 'new WebAssembly.Memory({ initial: 2 }); console.log("made")')).toBe('made')
  })

  // Nothing writes to what is taken here, so no control group sees it: this is the bound where there are none.
  test('a process that takes memory without end gets no more than its share', async () => {
    // Each is told at once: without memory for its next collection V8 may end the process.
    const told = await printedBy(
      sandbox,
      'const kept = []; try { for (;;) { kept.push(new ArrayBuffer(16 * 1024 * 1024)); fs.writeSync(1, `${kept.length * 16}\\n`) } } catch {}',
    )
    const taken = told.split('\n').at(-1)
    const most = (SANDBOX_LIMITS.memory + V8_OVERHEAD.writable) / MB
    expect(Number(taken)).toBeLessThan(most)
    expect(Number(taken)).toBeGreaterThan(SANDBOX_LIMITS.memory / MB / 2)
  })
})
