// The company's CRM: a SQLite database behind a server of the legacy era (2025-11-25). Customers have numbers here, no
// names: who they are stays in the database.
import { readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { DatabaseSync } from '@photostructure/sqlite'
import { z } from 'zod'

const database = new DatabaseSync(':memory:')
database.exec(readFileSync(new URL('crm.sql', import.meta.url), 'utf8'))

const BY_QUARTER = `
  SELECT quarter, SUM(outcome = 'won') AS won, SUM(outcome = 'lost') AS lost,
         CAST(ROUND(100.0 * SUM(outcome = 'lost') / COUNT(*)) AS INTEGER) AS lost_percent
  FROM deals WHERE competitor = ? AND quarter BETWEEN ? AND ? GROUP BY quarter ORDER BY quarter`
const BY_REASON = `
  SELECT reason, COUNT(*) AS deals FROM deals
  WHERE competitor = ? AND quarter BETWEEN ? AND ? AND outcome = ? GROUP BY reason ORDER BY deals DESC, reason`
const TOTAL = `
  SELECT SUM(outcome = 'won') AS won, SUM(outcome = 'lost') AS lost,
         SUM(CASE outcome WHEN 'lost' THEN value_eur ELSE 0 END) AS lost_value_eur
  FROM deals WHERE competitor = ? AND quarter BETWEEN ? AND ?`

const server = new McpServer({ name: 'crm', version: '4.2.0' })
const quarter = z.string().regex(/^\d{4}-Q[1-4]$/)
server.registerTool(
  'win_loss',
  {
    description: 'Decided deals against one competitor, counted by quarter and by reason. No names of customers.',
    inputSchema: {
      competitor: z.string().describe('As the CRM spells it, such as Meridian Kinetics.'),
      from: quarter.describe('First quarter, such as 2025-Q4.'),
      to: quarter.describe('Last quarter.'),
    },
    annotations: { readOnlyHint: true },
  },
  async ({ competitor, from, to }) => {
    const within = [competitor, from, to]
    const all = (sql, ...values) => database.prepare(sql).all(...within, ...values)
    const counted = {
      competitor,
      from,
      to,
      ...all(TOTAL)[0],
      quarters: all(BY_QUARTER),
      lost_for: all(BY_REASON, 'lost'),
      won_for: all(BY_REASON, 'won'),
    }
    return { content: [{ type: 'text', text: JSON.stringify(counted) }] }
  },
)
await server.connect(new StdioServerTransport())
