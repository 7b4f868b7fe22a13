import type { Skill } from '../loading/skill.js'

/** `<` and `&` cannot open or close anything in the catalogue any more. */
export const escapeMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** One skill as the catalogue shows it; without a description it is a bare name. */
export function catalogueEntry(skill: Pick<Skill, 'name'>, description: string | undefined): string {
  const name = escapeMarkup(skill.name)
  return description === undefined
    ? `<skill name="${name.replaceAll('"', '&quot;')}"/>`
    : `<skill name="${name.replaceAll('"', '&quot;')}">${escapeMarkup(description)}</skill>`
}
