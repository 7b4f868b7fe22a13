export type { CaseReport } from './case-report.js'
export { runA2aCases } from './run-a2a-cases.js'
export type { PeerCasesOptions } from './run-peer-cases.js'
