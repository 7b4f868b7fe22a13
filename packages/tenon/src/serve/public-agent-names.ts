import type { TenonConfig } from '../config/config-table.js'

/** The agents that clients may use, whatever protocol they speak. */
export const publicAgentNames = ({ agents = {} }: TenonConfig): readonly string[] =>
  Object.entries(agents).flatMap(([name, agent]) => (agent.public === undefined ? [] : [name]))
