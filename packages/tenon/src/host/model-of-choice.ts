import type { Model } from '@tenon/kernel'
import {
  connectModel,
  findRuntime,
  localModel,
  type ModelChoice,
  ModelsError,
  readRehearsal,
  rehearsalModel,
} from '@tenon/models'
import { readTextFile } from '../config/read-text-file.js'

/** A model and how to let go of what it holds. */
export type OpenModel = { readonly model: Model; close(): Promise<void> }

const MAX_REHEARSAL_BYTES = 4 * 1024 * 1024

/**
 * The model that was chosen, ready to answer.
 * @throws ModelsError `local-runtime-missing`, `rehearsal-invalid`; HostError when the rehearsal cannot be read
 */
export function modelOfChoice(choice: ModelChoice, dataFolder: string): OpenModel {
  switch (choice.kind) {
    case 'wire':
      return { model: connectModel(choice.connection), close: async () => {} }
    case 'rehearsal': {
      const rehearsal = readRehearsal(readTextFile(choice.file, MAX_REHEARSAL_BYTES), choice.file)
      return { model: rehearsalModel(rehearsal), close: async () => {} }
    }
    case 'local': {
      const runtime = findRuntime(dataFolder)
      if (runtime === undefined)
        throw new ModelsError(
          'local-runtime-missing',
          'The runtime for local models is not set up. `tenon models add` sets it up with a model.',
        )
      const model = localModel(choice.installed, { runtime })
      return { model, close: () => model.close() }
    }
  }
}
