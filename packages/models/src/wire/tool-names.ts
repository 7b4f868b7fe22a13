import type { WireNames } from '../tool-form/wire-names.js'
import { underscored, wireNames } from '../tool-form/wire-names.js'

/** The tools of one request: how their names are sent, and whose a name is that comes back. */
export type ToolNames = WireNames & {
  /** True if a tool of the request is called so, or its name begins so. */
  begins(piece: string): boolean
  /** The tool that is meant; `mapped` if the provider wrote the name in its own way. */
  resolve(written: string): { readonly name: string; readonly mapped: boolean }
}

export function toolNames(names: readonly string[]): ToolNames {
  const wire = wireNames(names)
  const known = new Set(names)
  const spellings = [...known, ...[...known].map((name) => wire.toWire(name))]
  return {
    ...wire,
    begins: (piece) => spellings.some((name) => name.startsWith(piece)),
    resolve(written) {
      if (written === '' || known.has(written)) return { name: written, mapped: false }
      const alike = [...known].filter((name) => underscored(name) === written)
      if (alike.length === 1) return { name: alike[0] ?? written, mapped: true }
      return { name: wire.fromWire(written) ?? written, mapped: false }
    },
  }
}
