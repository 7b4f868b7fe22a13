import { type Planner, react } from '@tenon/kernel'
import type { PlannerName } from '../config/planner-names.js'

/** What decides the next step, by the name that people choose it with. */
export const PLANNERS: Readonly<Record<PlannerName, () => Planner>> = { react: () => react() }
