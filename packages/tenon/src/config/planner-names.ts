/** The planners that a configuration, or `--planner`, may name. By itself, because the command line asks for no more. */
export const PLANNER_NAMES = ['react'] as const

export type PlannerName = (typeof PLANNER_NAMES)[number]
