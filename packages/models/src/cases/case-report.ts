/** What a run of cases found. */
export type CaseReport = {
  readonly passed: number
  readonly failures: readonly { readonly name: string; readonly differences: readonly string[] }[]
}
