import type { Model } from '@tenon/kernel'
import { readRehearsal, rehearsalModel } from '@tenon/models'

/**
 * A model that plays a written rehearsal, for tests and demos: no language model is at work, and a run that departs from
 * the script fails and says where.
 * @throws ModelsError `rehearsal-invalid`
 */
export const rehearsed = (script: string): Model => rehearsalModel(readRehearsal(script, 'rehearsal'))
