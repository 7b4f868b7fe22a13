// The company's knowledge base: documents of one folder, over MCP of the modern era (2026-07-28).
import { readdirSync, readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const folder = new URL('../knowledge/', import.meta.url)

/** Each document begins with `# Title` and a line that says where it comes from and who may see it. */
const documents = new Map(
  readdirSync(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const [title = '', , origin = ''] = text.split('\n')
      return [file.replace(/\.md$/, ''), { title: title.replace(/^# /, ''), origin, text }]
    }),
)

/** @param {string} text */
const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\d-]{3,}/gu) ?? [])

/** @param {string} text @param {boolean} [isError] */
const answer = (text, isError = false) => ({ content: [{ type: /** @type {const} */ ('text'), text }], isError })

const readOnly = { annotations: { readOnlyHint: true } }

serveStdio(
  () => {
    const server = new McpServer({ name: 'knowledge-base', version: '1.0.0' })
    server.registerTool(
      'search_documents',
      {
        description:
          'Finds documents of the company that share words with the query, best first, at most eight: id, title, origin. Read one with read_document.',
        inputSchema: z.object({ query: z.string().min(3).describe('Words, such as a company or a product.') }),
        ...readOnly,
      },
      async ({ query }) => {
        const wanted = words(query)
        const found = [...documents]
          .map(([id, document]) => ({
            id,
            document,
            hits: [...words(document.text)].filter((w) => wanted.has(w)).length,
          }))
          .filter(({ hits }) => hits > 0)
          .sort((a, b) => b.hits - a.hits)
          .slice(0, 8)
        const lines = found.map(({ id, document }) => `${id}: ${document.title} (${document.origin})`)
        return answer(lines.join('\n') || 'No document has any of these words.')
      },
    )
    server.registerTool(
      'read_document',
      {
        description: 'The whole text of one document, by the id that search_documents gives.',
        inputSchema: z.object({ id: z.string().describe('Such as product-comparison.') }),
        ...readOnly,
      },
      async ({ id }) => {
        const document = documents.get(id)
        return document === undefined ? answer(`There is no document ${id}.`, true) : answer(document.text)
      },
    )
    return server
  },
  { legacy: 'reject' },
)
