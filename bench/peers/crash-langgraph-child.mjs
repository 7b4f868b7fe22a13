// One attempt at the run, started by crash-langgraph.mjs. At every point it asks the parent, which lets it go on or
// kills it. An effect is a message to the parent, so it has happened when the parent has it, whatever comes then.
import { tool } from '@langchain/core/tools'
import { Command, interrupt } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { z } from 'zod'
import { InstantChatModel, sqliteSaver } from './langgraph-agent.mjs'

const [file] = process.argv.slice(2)
const waiting = []
process.on('message', () => waiting.shift()?.())

function point(name, effect) {
  return new Promise((resolve) => {
    waiting.push(resolve)
    process.send({ name, effect })
  })
}

function effectTool(name, ask) {
  return tool(
    async ({ n }) => {
      if (ask && interrupt(`may ${name} run?`) !== 'yes') return 'refused'
      await point(`inside ${name}`, name)
      return `${name} ${n} done`
    },
    { name, description: name, schema: z.object({ n: z.number() }) },
  )
}

const saver = sqliteSaver(file)
for (const method of ['put', 'putWrites']) {
  const original = saver[method].bind(saver)
  saver[method] = async (...args) => {
    await point(`before ${method}`)
    const result = await original(...args)
    await point(`after ${method}`)
    return result
  }
}

const call = (name, n) => ({ id: `call-${name}`, name, args: { n }, type: 'tool_call' })
const llm = new InstantChatModel((messages) => {
  const results = messages.filter((message) => message.getType() === 'tool').length
  if (results < 3) return { content: '', tool_calls: [call('read', 1), call('charge', 2), call('mail', 3)] }
  if (results < 4) return { content: '', tool_calls: [call('ship', 4)] }
  return { content: 'done' }
})
const tools = [effectTool('read'), effectTool('charge'), effectTool('mail'), effectTool('ship', true)]
const agent = createReactAgent({ llm, tools, checkpointer: saver })

const config = { configurable: { thread_id: 'one' }, durability: 'sync' }
const known = await saver.getTuple(config)
let answer = await agent.invoke(known ? null : { messages: [{ role: 'user', content: 'go' }] }, config)
if (answer.__interrupt__) answer = await agent.invoke(new Command({ resume: 'yes' }), config)
process.send({ ended: answer.messages.at(-1)?.content }, () => process.disconnect())
