import type { Model } from '@tenon/kernel'

/** Stands where no model can be had: says why when it is asked, and not before, so that a run can still be looked after. */
export function unavailableModel(message: string, code = 'no-model'): Model {
  return {
    author: { provider: 'none', model: 'none', dialect: 'none' },
    contextWindow: 1_000_000,
    *generate() {
      yield {
        kind: 'finished',
        finish: 'error',
        usage: null,
        error: { code, message, retryable: false },
        diagnostics: [],
      }
    },
  }
}
