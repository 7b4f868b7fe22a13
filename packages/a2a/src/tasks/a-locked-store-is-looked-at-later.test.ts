import { expect, onTestFinished, test, vi } from 'vitest'
import { openService } from '../../test/support/open-service.js'
import { scriptedAgent } from '../../test/support/scripted-agent.js'
import { TaskKeeper } from './task-keeper.js'

test('a store that is locked when tasks are looked for ends no server, and is looked at again', async () => {
  const { agent } = scriptedAgent([[{ kind: 'text', text: 'done' }]])
  const { engine, store } = openService(() => agent)
  const looks: string[] = []
  const reported: unknown[] = []
  const keeper = new TaskKeeper({
    engine,
    store: {
      sendKeys: store.sendKeys,
      abandoned(prefix) {
        looks.push(prefix)
        if (looks.length === 2) throw new Error('database is locked')
        return store.abandoned(prefix)
      },
    },
    everyMs: 5,
    report: (error) => reported.push(error),
  })
  onTestFinished(() => keeper.stop())
  keeper.start()
  await vi.waitFor(() => expect(looks.length).toBeGreaterThan(3))
  expect(reported).toEqual([expect.objectContaining({ message: 'database is locked' })])
})
