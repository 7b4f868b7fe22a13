export type { CaseReport } from './case-report.js'
export { runSkillsCases } from './skills-cases.js'
