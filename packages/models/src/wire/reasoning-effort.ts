import type { ModelSettings } from '@tenon/kernel'

/** What a model is told when it should not think; models that no pattern fits are told nothing. */
export type EffortOff = readonly (readonly [model: RegExp, word: string])[]

/** OpenAI's models know different words for the least they can do. The first pattern that fits decides. */
export const OPENAI_EFFORT_OFF: EffortOff = [
  [/^gpt-(?:5\.\d|[6-9])/, 'none'],
  [/^gpt-5/, 'minimal'],
  [/^o\d/, 'low'],
]

export function reasoningEffort(
  level: NonNullable<ModelSettings['reasoning']>,
  model: string,
  off: EffortOff,
): string | undefined {
  return level === 'off' ? off.find(([pattern]) => pattern.test(model))?.[1] : level
}
