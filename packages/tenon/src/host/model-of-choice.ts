import type { Model } from '@tenon/kernel'
import { type ModelChoice, readRehearsal, rehearsalModel } from '@tenon/models'
import type { ModelConfig } from '../config/config-table.js'
import { readTextFile } from '../config/read-text-file.js'

/** A model and how to let go of what it holds. */
export type OpenModel = { readonly model: Model; readonly close: () => Promise<void> | void }

const MAX_REHEARSAL_BYTES = 4 * 1024 * 1024

/** The model that was chosen, ready to answer; offered by prompt where its alias says so. */
export function modelOfChoice(choice: ModelChoice, alias: ModelConfig | undefined): OpenModel {
  const open = openChoice(choice)
  return alias?.prompted === undefined ? open : open
}

function openChoice(choice: ModelChoice): OpenModel {
  switch (choice.kind) {
    case 'rehearsal': {
      const model = rehearsalModel(readRehearsal(readTextFile(choice.file, MAX_REHEARSAL_BYTES), choice.file))
      return { model, close: () => {} }
    }
    default:
      throw new Error('not there yet')
  }
}
