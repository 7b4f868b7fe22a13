import { availableParallelism, totalmem } from 'node:os'
import type { Author, Model, ModelContext, ModelEvent, ModelRequest } from '@tenon/kernel'
import { errorRecord } from '@tenon/kernel'
import { COMMON_NAME_RULE, wireNames } from '../tool-form/wire-names.js'
import { chatHistory } from './chat-history.js'
import type { InstalledModel } from './installed-model.js'
import { localAnswer } from './local-answer.js'
import { localPlan } from './local-mode.js'
import { WorkerProcess } from './worker-process.js'
import type { GenerateJob } from './worker-protocol.js'

export type LocalModelOptions = {
  /** Folder of the runtime, from `findRuntime` or `installRuntime`. */
  readonly runtime: string
  /** Tokens of context to hold. By the model and this machine's memory if absent. */
  readonly contextSize?: number
  /** One core is left to the rest of the machine if absent: threads that wait for a busy core stand still together. */
  readonly threads?: number
  /** Try a graphics card. True on Apple's machines if absent, where the runtime comes with it. */
  readonly gpu?: boolean
  /** Milliseconds without a request after which the weights leave memory. Five minutes if absent. */
  readonly idleMs?: number
}

/** A model in a process of its own. `close` frees its memory at once; a later request loads it again. */
export type LocalModel = Model & { close(): Promise<void> }

export const LOCAL_DIALECT = 'llama'

/**
 * Runs installed weights with llama.cpp. Calls obey a grammar made from their tool's schema; `toolChoice` is held to by
 * grammar as well. What does not fit into the context ends with `context-overflow`: nothing is dropped silently.
 */
export function localModel(installed: InstalledModel, options: LocalModelOptions): LocalModel {
  const author: Author = Object.freeze({ provider: 'local', model: installed.name, dialect: LOCAL_DIALECT })
  const contextSize = Math.min(options.contextSize ?? usualContext(), installed.trainedContext)
  const worker = new WorkerProcess(
    {
      runtime: options.runtime,
      weights: installed.weights,
      contextSize,
      gpu: options.gpu ?? process.platform === 'darwin',
      threads: options.threads ?? Math.max(1, availableParallelism() - 1),
    },
    options.idleMs ?? 300_000,
  )
  return {
    author,
    contextWindow: contextSize,
    prices: { input: 0, output: 0 },
    generate: (request, context) => generate(worker, author, request, context),
    close: () => worker.close(),
  }
}

/** The cache of a context takes memory beside the weights: 16,384 tokens of a 4B model about 2.4 GB. */
function usualContext(): number {
  return totalmem() >= 12e9 ? 16_384 : 8_192
}

async function* generate(
  worker: WorkerProcess,
  author: Author,
  request: ModelRequest,
  { signal }: ModelContext,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return
  const names = wireNames(
    request.tools.map((tool) => tool.name),
    COMMON_NAME_RULE,
  )
  const plan = localPlan(request, names)
  const { settings } = request
  const job: GenerateJob = {
    history: chatHistory(plan.request, author, names),
    mode: plan.mode,
    temperature: settings.temperature ?? 0.6,
    topP: settings.topP ?? 0.95,
    stop: settings.stop ?? [],
    ...(settings.maxOutputTokens === undefined ? {} : { maxTokens: settings.maxOutputTokens }),
    ...thoughtBudget(settings.reasoning),
  }
  const answer = localAnswer({ author, tools: request.tools, names, forcedCall: plan.forcedCall })
  const cancel = worker.start(job, {
    message: (message) => answer.take(message),
    lost: (error) => answer.fail(errorRecord(error)),
  })
  signal.addEventListener('abort', cancel, { once: true })
  try {
    yield* answer.events()
  } finally {
    signal.removeEventListener('abort', cancel)
    // Also when whoever reads stops reading: the process must not go on for nobody.
    cancel()
  }
}

function thoughtBudget(reasoning: ModelRequest['settings']['reasoning']): { readonly thoughtTokens?: number } {
  if (reasoning === undefined || reasoning === 'high') return {}
  return { thoughtTokens: { off: 0, low: 512, medium: 2048 }[reasoning] }
}
