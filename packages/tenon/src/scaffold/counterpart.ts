/** Who stands on the other side of a joint: code in this process, an outside system, a method, a colleague that thinks. */
export const COUNTERPARTS = ['code', 'system', 'method', 'colleague'] as const

export type Counterpart = (typeof COUNTERPARTS)[number]
