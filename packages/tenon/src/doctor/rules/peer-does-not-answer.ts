import type { Rule } from '../rule.js'

export const peerDoesNotAnswer: Rule = {
  id: 'peer-does-not-answer',
  severity: 'error',
  title: 'A peer cannot be spoken to',
  reason:
    'What is delegated to it fails: its card cannot be had, is not trusted, or offers no way in that both sides speak.',
  fix: 'tenon a2a card NAME shows the card and what is wrong with it.',
  look: ({ peers }) =>
    peers.flatMap(({ name, error }) =>
      error === undefined ? [] : [{ where: `peers.${name}`, text: `${error.message} [${error.code}]` }],
    ),
}
