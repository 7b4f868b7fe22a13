/** What came of a folder of cases. `differences` say what was expected and what came, one line each. */
export type CaseReport = {
  readonly passed: number
  readonly failures: readonly { readonly name: string; readonly differences: readonly string[] }[]
}
