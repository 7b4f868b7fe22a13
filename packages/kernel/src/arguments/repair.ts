/**
 * Every change that arguments or a tool's name may undergo before they are used. Each has one reading only, so nothing
 * is lost, and each is reported by its name.
 */
export type Repair =
  | 'byte-order-mark'
  | 'code-fence'
  | 'trailing-comma'
  | 'comments'
  | 'single-quotes'
  | 'unquoted-keys'
  | 'python-literals'
  | 'smart-quotes'
  | 'cjk-punctuation'
  | 'control-characters'
  | 'missing-closers'
  | 'surplus-closers'
  | 'double-encoded'
  | 'empty-arguments'
  | 'template-tokens'
  | 'coerced-by-schema'
  | 'null-dropped'
  | 'name-normalised'

/** Sorted, as reports show them. */
export const sortedRepairs = (repairs: Iterable<Repair>): readonly Repair[] => [...repairs].sort()
