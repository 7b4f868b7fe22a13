import type { Rule } from '../rule.js'

export const skillCannotBeUsed: Rule = {
  id: 'skill-cannot-be-used',
  severity: 'error',
  title: 'A skill cannot be used',
  reason: 'It is there for people who look into the folder, and not there for agents.',
  fix: 'tenon skills doctor names the file and the line; tenon skills check DIR holds a skill to the open standard.',
  look: ({ skills }) =>
    skills
      .filter(({ loadable }) => !loadable)
      .map(({ name, problem }) => ({ where: `skills/${name}`, text: problem ?? 'it cannot be read' })),
}
