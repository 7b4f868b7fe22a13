import { resolve } from 'node:path'
import { type ContentBlock, type HandEvent, isJsonObject, plainText } from '@tenon/kernel'
import { EXIT } from '../cli/exit-code.js'
import type { Io } from '../cli/io.js'
import { safeText } from '../cli/printer/safe-text.js'
import { saveFiles } from './save-files.js'

export type ShowOptions = {
  readonly json?: boolean
  /** Where files go that the task handed over. */
  readonly out?: string
}

/**
 * Shows a task to a person as it goes on: state and questions on standard error, what came of it on standard output.
 * @returns the exit code
 */
export async function showDelegation(
  io: Io,
  events: AsyncIterable<HandEvent>,
  { json = false, out }: ShowOptions,
): Promise<number> {
  let taskId: string | undefined
  let shown: string | undefined
  for await (const event of events) {
    if (json) io.stdout.write(`${JSON.stringify(event)}\n`)
    switch (event.kind) {
      case 'handle':
        if (isJsonObject(event.handle) && event.handle.taskId !== taskId) {
          taskId = String(event.handle.taskId)
          io.stderr.write(`task ${safeText(taskId)}\n`)
        }
        break
      case 'progress':
        if (event.message !== undefined && event.message !== shown) io.stderr.write(`${safeText(event.message)}\n`)
        shown = event.message
        break
      case 'needs-input':
        for (const { prompt } of event.needs) io.stderr.write(`${safeText(prompt)}\n`)
        io.stderr.write(`It waits for an answer: tenon a2a answer PEER ${safeText(taskId ?? 'TASK')} "…"\n`)
        return EXIT.inputRequired
      case 'result':
        if (!json) io.stdout.write(`${shownResult(event.content)}\n`)
        if (out !== undefined)
          for (const path of saveFiles(resolve(io.cwd, out), event.content))
            io.stderr.write(`saved ${safeText(path)}\n`)
        else if (!json && event.content.some(isFile))
          io.stderr.write(`tenon a2a watch PEER ${safeText(taskId ?? 'TASK')} --out DIR saves its files.\n`)
        if (event.isError !== true) return EXIT.completed
        return event.error?.code === 'peer-task-canceled' ? EXIT.canceled : EXIT.failed
    }
  }
  return EXIT.failed
}

const isFile = (block: ContentBlock): boolean =>
  block.kind !== 'text' && block.kind !== 'artifact' && block.source.kind === 'data'

function shownResult(content: readonly ContentBlock[]): string {
  const files = content.flatMap((block) =>
    block.kind === 'text' ? [] : [`[${block.kind} ${block.name ?? ''} ${block.mediaType}]`],
  )
  return safeText([plainText(content), ...files].filter((line) => line !== '').join('\n'))
}
