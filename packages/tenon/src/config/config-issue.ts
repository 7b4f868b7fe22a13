/** Where something stands in a file. Lines and columns count from 1. */
export type Place = { readonly file: string; readonly line: number; readonly column: number }

/** One thing that is wrong with a configuration. */
export type ConfigIssue = {
  readonly place: Place
  /** `agents.writer.model`; empty when the file as a whole is meant. */
  readonly key: string
  /** What is wrong, without a full stop. Never a value that may be a secret. */
  readonly problem: string
  /** What to do about it, as a sentence. */
  readonly fix?: string
}

/** `tenon.yaml:7:5 agents.writer.modle: unknown key. Did you mean "model"?` */
export function issueLine(issue: ConfigIssue): string {
  const { file, line, column } = issue.place
  const key = issue.key === '' ? '' : ` ${issue.key}:`
  return `${file}:${line}:${column}${key} ${issue.problem}.${issue.fix === undefined ? '' : ` ${issue.fix}`}`
}
