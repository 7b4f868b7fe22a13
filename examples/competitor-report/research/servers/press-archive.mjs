// The research desk's press archive: articles of one folder, over MCP. It speaks either era.
import { readdirSync, readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const folder = new URL('../press/', import.meta.url)

/** `key: value` lines, an empty line, then the text. */
const articles = readdirSync(folder)
  .sort()
  .map((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    const fields = Object.fromEntries(
      [...(text.split('\n\n')[0] ?? '').matchAll(/^(\w+): (.*)$/gm)].map(([, key, value]) => [key, value]),
    )
    return { id: file.replace(/\.md$/, ''), text, ...fields }
  })

/** @param {string} text */
const answer = (text, isError = false) => ({ content: [{ type: /** @type {const} */ ('text'), text }], isError })

serveStdio(() => {
  const server = new McpServer({ name: 'press-archive', version: '1.0.0' })
  server.registerTool(
    'search_press',
    {
      description: 'Articles that name a company, newest first: id, date, outlet, kind of source, title.',
      inputSchema: z.object({
        names: z.array(z.string().min(2)).min(1).describe('The company in each of its spellings.'),
        regions: z
          .array(z.enum(['CN', 'EU']))
          .min(1)
          .describe('Where it appeared.'),
        since: z
          .string()
          .regex(/^\d{4}-\d{2}-\d{2}$/)
          .describe('The earliest date.'),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ names, regions, since }) => {
      const found = articles
        .filter(
          ({ text, region, date }) =>
            regions.includes(region) && date >= since && names.some((name) => text.includes(name)),
        )
        .sort((a, b) => (a.date < b.date ? 1 : -1))
      const lines = found.map(({ id, date, outlet, kind, title }) => `${id} | ${date} | ${outlet} | ${kind} | ${title}`)
      return answer(lines.join('\n') || 'Nothing was found.')
    },
  )
  server.registerTool(
    'read_article',
    {
      description: 'The whole text of one article, by the id that search_press gives.',
      inputSchema: z.object({ id: z.string().describe('Such as annual-report-2025.') }),
      annotations: { readOnlyHint: true },
    },
    async ({ id }) => {
      const article = articles.find((one) => one.id === id)
      return article === undefined ? answer(`There is no article ${id}.`, true) : answer(article.text)
    },
  )
  return server
})
