/**
 * The first TypeScript block of a page: what a reader copies first, so what has to compile and run as it stands.
 *
 * @param {string} page Markdown
 */
export function readmeSnippet(page) {
  const found = /^```(?:ts|typescript)\b[^\n]*\n([\s\S]*?)^```/m.exec(page)
  if (!found?.[1]) throw new Error('the page has no ```ts block')
  return found[1]
}
