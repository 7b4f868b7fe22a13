import type { Skill } from '../loading/skill.js'

/** `<` and `&` cannot open or close anything in the catalogue any more. */
const escapeMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** One skill as the catalogue shows it; without a description it is a bare name. */
export function catalogueEntry({ name, root }: Pick<Skill, 'name' | 'root'>, description: string | undefined): string {
  const from = root.server === undefined ? '' : ` from="${attribute(root.server)}"`
  const open = `<skill name="${attribute(name)}"${from}`
  return description === undefined ? `${open}/>` : `${open}>${escapeMarkup(description)}</skill>`
}

const attribute = (text: string): string => escapeMarkup(text).replaceAll('"', '&quot;')
