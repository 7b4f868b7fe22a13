import type { Rule } from '../rule.js'

export const skillIsShadowed: Rule = {
  id: 'skill-is-shadowed',
  severity: 'warning',
  title: 'A skill is hidden by another of its name',
  reason: 'Only the first of a name is offered. Whoever changes the other one wonders why nothing changes.',
  fix: 'Rename one of the two, or take one away. tenon skills list shows where each comes from.',
  look: ({ skills }) =>
    skills.flatMap(({ name, folder, shadowedBy }) =>
      shadowedBy === undefined ? [] : [{ where: `skills/${name}`, text: `${folder} is hidden by ${shadowedBy}` }],
    ),
}
