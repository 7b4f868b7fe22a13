import type { Parser as HtmlParser } from 'htmlparser2'
import { TextWriter } from './text-writer.js'

const CHUNK = 16 * 1_024
const DEEPEST = 1_000
const LONGEST_LINK = 500

/** Elements whose inside is no text of the page. */
const SILENT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'head',
  'title',
  'select',
])
const PARAGRAPHS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'aside',
  'nav',
  'ul',
  'ol',
  'dl',
  'table',
  'figure',
  'blockquote',
  'form',
  'fieldset',
  'address',
  'details',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'pre',
  'hr',
])
const LINES = new Set(['br', 'li', 'tr', 'dt', 'dd', 'caption', 'figcaption', 'summary', 'option', 'legend'])

export type HtmlText = {
  readonly title: string
  readonly text: string
  /** The page is nested deeper than anyone writes; the rest was left out. */
  readonly tooDeep: boolean
}

/**
 * The readable text of a page: headings, lists, tables and links in the way of Markdown, nothing of what a browser does
 * not show. Works through a stream of tokens, so time and memory grow with the length of the page and with nothing else.
 * @param base what relative links are relative to
 */
export async function htmlToText(html: string, base: URL): Promise<HtmlText> {
  const { Parser } = await import('htmlparser2')
  const page = new Page(base)
  const parser: HtmlParser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      onclosetag: (name) => page.close(name),
      ontext: (text) => page.text(text),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  for (let at = 0; at < html.length && !page.tooDeep; at += CHUNK) {
    parser.write(html.slice(at, at + CHUNK))
    // A page of megabytes must not hold up everything else.
    if (at % (CHUNK * 16) === 0) await new Promise(setImmediate)
  }
  parser.end()
  return { title: page.title.trim().replace(/\s+/g, ' '), text: page.writer.finish(), tooDeep: page.tooDeep }
}

/** What is open while the tokens of one page go by. */
class Page {
  readonly writer = new TextWriter()
  title = ''
  tooDeep = false
  readonly #open: { readonly name: string; readonly silent: boolean; readonly link: Link | undefined }[] = []
  #titled = false
  #silent = 0
  #pre = 0
  readonly #lists: { readonly ordered: boolean; count: number }[] = []

  constructor(readonly base: URL) {}

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#open.length >= DEEPEST) this.tooDeep = true
    if (this.tooDeep) return
    const silent = SILENT.has(name) || isHidden(attributes)
    if (silent) this.#silent++
    const link = name === 'a' && this.#silent === 0 ? this.#link(attributes) : undefined
    this.#open.push({ name, silent, link })
    if (this.#silent > 0) return
    if (PARAGRAPHS.has(name)) this.writer.paragraph(this.#lists.length > 0)
    else if (LINES.has(name)) this.writer.line()
    if (/^h[1-6]$/.test(name)) this.writer.mark(`${'#'.repeat(Number(name[1]))} `)
    else if (name === 'ul' || name === 'ol') this.#lists.push({ ordered: name === 'ol', count: 0 })
    else if (name === 'li') this.writer.mark(this.#bullet())
    else if (name === 'td' || name === 'th') this.writer.cell()
    else if (name === 'pre') this.#pre++
    else if (name === 'hr') this.writer.mark('---')
    else if (name === 'img' && attributes.alt) this.writer.words(`[image: ${attributes.alt}]`)
  }

  close(name: string): void {
    const top = this.#open.at(-1)
    // Elements past the deepest level were never put on.
    if (top === undefined || top.name !== name) return
    this.#open.pop()
    if (name === 'title') this.#titled = true
    if (top.silent) this.#silent--
    if (this.#silent > 0 || top.silent) return
    if (top.link !== undefined) this.#endLink(top.link)
    if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (name === 'pre') this.#pre--
    if (PARAGRAPHS.has(name)) this.writer.paragraph(this.#lists.length > 0)
    else if (LINES.has(name) && name !== 'br') this.writer.line()
  }

  text(text: string): void {
    if (!this.#titled && this.#open.at(-1)?.name === 'title') this.title += text
    if (this.#silent > 0 || this.tooDeep) return
    if (this.#pre > 0) this.writer.exact(text)
    else this.writer.words(text)
  }

  #bullet(): string {
    const list = this.#lists.at(-1)
    const indent = '  '.repeat(Math.max(0, Math.min(this.#lists.length, 10) - 1))
    if (list === undefined || !list.ordered) return `${indent}- `
    list.count++
    return `${indent}${list.count}. `
  }

  #link({ href, title, 'aria-label': label = title }: Readonly<Record<string, string>>): Link | undefined {
    if (href === undefined || href.startsWith('#') || !URL.canParse(href, this.base.href)) return undefined
    const url = new URL(href, this.base.href)
    if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.href.length > LONGEST_LINK) return undefined
    this.writer.mark('[')
    return { href: url.href, label, place: this.writer.place }
  }

  /** A link without text is a picture: it goes by its label, and without one it says nothing. */
  #endLink({ href, label, place }: Link): void {
    if (!this.writer.takeBack(place)) this.writer.mark(`](${href})`)
    else if (label) this.writer.words(`[${label}](${href})`)
  }
}

type Link = { readonly href: string; readonly label: string | undefined; readonly place: number }

const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  attributes.hidden !== undefined ||
  (attributes.style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style))
