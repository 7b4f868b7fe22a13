import type { Rule } from '../rule.js'

/** What helps is listed below it, and once is enough. */
const firstSentence = (message: string): string => /^.*?\.(?=\s|$)/.exec(message)?.[0] ?? message

export const modelDoesNotAnswer: Rule = {
  id: 'model-does-not-answer',
  severity: 'error',
  title: 'An agent has no model',
  reason: 'Its runs fail at the first turn, and what others hand to it fails with it.',
  fix: 'Set the key or start the server that its model needs, or name another one under agents.NAME.model; tenon models list shows which there are.',
  look: ({ agents }) =>
    agents.flatMap(({ name, modelProblem }) =>
      modelProblem === undefined
        ? []
        : [{ where: `agents.${name}`, text: `${firstSentence(modelProblem.message)} [${modelProblem.code}]` }],
    ),
}
