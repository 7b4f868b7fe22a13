export type PromptArgument = { readonly name: string; readonly description: string; readonly required: boolean }

/** A skeleton that a person may pick, as a server lists it. */
export type PromptInfo = {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
}
