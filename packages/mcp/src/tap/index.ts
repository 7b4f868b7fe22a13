// By itself, because a tap stands before the start of a server: what else this package has is not loaded for it.
import type { TapHttp, TapHttpOptions } from './tap-http.js'

export { SecretMask } from './secret-mask.js'
export type { TapEntry, TapSide } from './tap-entry.js'
export { TapLog } from './tap-log.js'
export { type TapProcessOptions, tapProcess } from './tap-process.js'
export { TapRecorder, type TapRecorderOptions } from './tap-recorder.js'
export { tapViewLine } from './tap-view.js'

export type { TapHttp, TapHttpOptions }

/** Loaded when an address is tapped: before a command it would double what a tap loads. @throws McpError `mcp-listen-failed` */
export const tapHttp = async (options: TapHttpOptions): Promise<TapHttp> =>
  (await import('./tap-http.js')).tapHttp(options)
