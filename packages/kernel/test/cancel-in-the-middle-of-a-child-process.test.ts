import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { CallContext } from '../src/ports/tool.js'
import { hostOf, testAgent } from './support/host.js'
import { callTool, say, scriptedModel } from './support/scripted-model.js'
import { result, testTool } from './support/tools.js'

/** Starts a grandchild that holds its output open, tells its pid, and would run for ever. */
const PARENT = `
const { spawn } = require('node:child_process')
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
console.log(child.pid)
setInterval(() => {}, 1000)
`

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.skipIf(process.platform === 'win32')(
  'canceling a run ends the process of its tool with everything that it started',
  async () => {
    let closed = false
    const started: { child: ChildProcess; grandchild: number }[] = []
    const shell = testTool(
      'shell',
      (async (_: unknown, { signal, progress }: CallContext) => {
        const child = spawn(process.execPath, ['-e', PARENT], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
        signal.addEventListener('abort', () => process.kill(-(child.pid as number), 'SIGKILL'))
        const [said] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
        started.push({ child, grandchild: Number(String(said)) })
        progress('started')
        const [code] = await once(child, 'close')
        closed = true
        signal.throwIfAborted()
        return result(code)
      }) as never,
      { effect: 'once' },
    )
    const model = scriptedModel([[callTool('shell')], [say('never')]])
    const { engine } = hostOf(testAgent({ model, tools: [shell] }))
    const runId = await engine.submit({ agent: 'tester', goal: 'go' })
    for await (const item of engine.follow(runId)) if (item.kind === 'progress') break
    const [{ child, grandchild }] = started as [(typeof started)[number]]
    expect([alive(child.pid as number), alive(grandchild)]).toEqual([true, true])

    await engine.cancel(runId)
    const run = await engine.drive(runId)

    expect(run.call('t1.1' as never)).toMatchObject({ outcome: 'canceled' })
    expect(alive(child.pid as number)).toBe(false)
    // Its output is closed only when nobody holds it any more, and the call settled after that.
    expect(closed).toBe(true)
  },
)
