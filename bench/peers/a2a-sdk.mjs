import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Role, TaskState } from '@a2a-js/sdk'
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database'
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { DatabaseSync } from '@photostructure/sqlite'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'

/** As `a2a-db upgrade --sql --dialect sqlite` writes it. */
const TABLES = `
create table "tasks" ("tenant" varchar(255) collate binary not null, "owner" varchar(255) collate binary not null, "id" varchar(36) collate binary not null, "context_id" varchar(36) collate binary not null, "status_last_updated" bigint not null, "status_state" varchar(255) collate binary, "status" text, "artifacts" text, "history" text, "metadata" text, "protocol_version" varchar(255), constraint "tasks_pkey" primary key ("tenant", "owner", "id"));
create index "tasks_scope_updated_idx" on "tasks" ("tenant", "owner", "status_last_updated", "id");
create index "tasks_scope_context_updated_idx" on "tasks" ("tenant", "owner", "context_id", "status_last_updated", "id");
`

/** The stock server around an executor that knows the commands of the bench. @param {'memory' | 'sqlite'} kind */
export async function sdkServer(kind) {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-sdk-'))
  const store = kind === 'memory' ? new InMemoryTaskStore() : new DatabaseTaskStore(kyselyOn(join(folder, 'tasks.db')))
  const handler = new DefaultRequestHandler(CARD, store, new Executor())
  const app = express()
  app.use('/rpc', jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }))
  const server = await new Promise((ready) => {
    const listening = app.listen(0, '127.0.0.1', () => ready(listening))
  })
  return {
    url: `http://127.0.0.1:${server.address().port}/rpc`,
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The SQLite that Tenon uses, in WAL mode as Tenon uses it. @param {string} file */
function kyselyOn(file) {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(TABLES)
  const prepare = (sql) => {
    const statement = database.prepare(sql)
    return {
      reader: /^\s*(select|with|pragma)|returning/i.test(sql),
      all: (values) => statement.all(...values.map(stored)),
      run: (values) => statement.run(...values.map(stored)),
      iterate: (values) => statement.iterate(...values.map(stored)),
    }
  }
  return new Kysely({ dialect: new SqliteDialect({ database: { close: () => database.close(), prepare } }) })
}

const stored = (value) => (value === undefined ? null : value)

const part = (value) => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
})

class Executor {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const [word, ...words] = userMessage.parts[0].content.value.split(' ')
    const status = (state) => ({ state, message: undefined, timestamp: new Date().toISOString() })
    const enter = (state) =>
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state), metadata: undefined }))
    const deliver = (text, append, lastChunk) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          append,
          lastChunk,
          metadata: undefined,
          artifact: {
            artifactId: 'a1',
            name: '',
            description: '',
            parts: [part(text)],
            metadata: undefined,
            extensions: [],
          },
        }),
      )
    bus.publish(
      AgentEvent.task(
        task ?? {
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [{ ...userMessage, role: Role.ROLE_USER }],
          metadata: undefined,
        },
      ),
    )
    enter(TaskState.TASK_STATE_WORKING)
    const number = Number(words[0])
    if (word === 'echo') deliver(words.join(' '), false, true)
    if (word === 'chunks') for (let n = 0; n < number; n++) deliver(`c${n} `, n > 0, n === number - 1)
    if (word === 'slow') {
      await new Promise((done) => setTimeout(done, number))
      deliver('slow done', false, true)
    }
    enter(TaskState.TASK_STATE_COMPLETED)
    bus.finished()
  }

  async cancelTask() {}
}

const CARD = {
  name: 'stock',
  description: 'The stock server',
  version: '1.0.0',
  documentationUrl: '',
  provider: undefined,
  supportedInterfaces: [
    { url: 'http://127.0.0.1/rpc', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  signatures: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
}
