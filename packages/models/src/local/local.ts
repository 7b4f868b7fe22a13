import type { Model, ModelContext, ModelEvent, ModelRequest } from '@tenon/kernel'
import { errorRecord } from '@tenon/kernel'
import { ModelsError } from '../errors.js'
import { userDataFolder } from './data-folder.js'
import { findRuntime } from './install-runtime.js'
import { listModels } from './list-models.js'
import { LOCAL_DIALECT, type LocalModel, type LocalModelOptions, localModel } from './local-model.js'

export type LocalOptions = Omit<LocalModelOptions, 'runtime'> & {
  /** Where models are kept. The user's own place if absent. */
  readonly dataFolder?: string
}

/**
 * An installed model by name, looked up when it is first asked: `local('qwen3-4b')`. Where the model or the runtime is
 * missing, the answer ends with `local-model-unknown` or `local-runtime-missing`, which say how to add them.
 */
export function local(name: string, options: LocalOptions = {}): Model {
  const contextSize = options.contextSize ?? 8_192
  let model: Promise<LocalModel> | undefined
  async function* generate(request: ModelRequest, context: ModelContext): AsyncGenerator<ModelEvent> {
    try {
      model ??= openLocalModel(name, { ...options, contextSize })
      yield* (await model).generate(request, context)
    } catch (error) {
      model = undefined
      if (!(error instanceof ModelsError)) throw error
      yield { kind: 'finished', finish: 'error', usage: null, error: errorRecord(error), diagnostics: [] }
    }
  }
  return {
    author: Object.freeze({ provider: 'local', model: name, dialect: LOCAL_DIALECT }),
    contextWindow: contextSize,
    prices: { input: 0, output: 0 },
    generate,
  }
}

/**
 * Opens an installed model by name.
 *
 * @throws ModelsError `local-model-unknown`, `local-runtime-missing`
 */
export async function openLocalModel(name: string, options: LocalOptions = {}): Promise<LocalModel> {
  const { dataFolder = userDataFolder(process.env), ...rest } = options
  const models = await listModels(dataFolder)
  const found = models.find((model) => model.name === name)
  if (found?.kind !== 'installed') {
    const problem =
      found === undefined ? `No local model "${name}" is installed` : `"${name}" is broken: ${found.problem}`
    throw new ModelsError('local-model-unknown', `${problem}. Add it: \`tenon models add ${name}\`.`)
  }
  const runtime = findRuntime(dataFolder)
  if (runtime === undefined)
    throw new ModelsError(
      'local-runtime-missing',
      'The runtime for local models is not set up. `tenon models add` sets it up with a model.',
    )
  return localModel(found, { ...rest, runtime })
}
