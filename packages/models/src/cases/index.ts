export { runCallsCases } from './calls-cases.js'
export type { CaseReport } from './case-report.js'
export { runWireCases } from './wire-cases.js'
