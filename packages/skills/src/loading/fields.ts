/** A value of a top-level key. `source` is what a scalar looks like in the file. */
export type Field = { readonly value: unknown; readonly source?: string; readonly line: number }

export type Fields = ReadonlyMap<string, Field>
