// By itself, because a tap stands before the start of a server: what else this package has is not loaded for it.
export { SecretMask } from './secret-mask.js'
export type { TapEntry, TapSide } from './tap-entry.js'
export { type TapHttp, type TapHttpOptions, tapHttp } from './tap-http.js'
export { TapLog } from './tap-log.js'
export { type TapProcessOptions, tapProcess } from './tap-process.js'
export { TapRecorder, type TapRecorderOptions } from './tap-recorder.js'
export { tapViewLine } from './tap-view.js'
