type TagName = 'thought' | 'action' | 'observation' | 'final_answer'

export type Tag = {
  readonly name: TagName
  readonly closing: boolean
  readonly at: number
  readonly end: number
}

const TAG = /<(\/?)(thought|action|observation|final_answer)\s*>/gi

/** All tags of the dialect in a part of a text, in order. Which of them count is for the reader. */
export function tagsIn(text: string, from: number, to: number): readonly Tag[] {
  const tags: Tag[] = []
  TAG.lastIndex = from
  for (let found = TAG.exec(text); found !== null && TAG.lastIndex <= to; found = TAG.exec(text)) {
    const name = (found[2] ?? '').toLowerCase() as TagName
    tags.push({ name, closing: found[1] === '/', at: found.index, end: TAG.lastIndex })
  }
  return tags
}
