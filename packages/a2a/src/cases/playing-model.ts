import { type Json, type JsonObject, type Model, plainText, type Usage } from '@tenon/kernel'

/** A call to make. Its arguments may be made of what the tools have said so far. */
export type PlayedStep = { readonly tool: string; readonly args: Json | ((said: readonly string[]) => Json) }

/** Plays its steps, one a turn, then says that it is done: what is under test is the hand, not the model. */
export function playingModel(steps: readonly PlayedStep[], usage: Usage | null = null): Model {
  const author = { provider: 'cases', model: 'plays', dialect: 'cases' }
  return {
    author,
    contextWindow: 100_000,
    *generate({ messages }) {
      const said = messages.flatMap((message) =>
        message.role === 'tool' ? message.blocks.map(({ content }) => plainText(content)) : [],
      )
      const step = steps[said.length]
      const args = typeof step?.args === 'function' ? step.args(said) : step?.args
      yield {
        kind: 'block-ended',
        index: 0,
        block:
          step === undefined
            ? { kind: 'text', text: 'Done.', author }
            : { kind: 'tool-call', name: step.tool, args: args as JsonObject, author },
      }
      yield { kind: 'finished', finish: step === undefined ? 'stop' : 'tool-calls', usage, diagnostics: [] }
    },
  }
}
