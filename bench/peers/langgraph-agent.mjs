import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { DatabaseSync, enhance } from '@photostructure/sqlite'

/** A chat model that answers at once with what `answer(messages)` says. */
export class InstantChatModel extends BaseChatModel {
  constructor(answer) {
    super({})
    this.answer = answer
  }

  _llmType() {
    return 'instant'
  }

  bindTools() {
    return this
  }

  async _generate(messages) {
    const message = new AIMessage(this.answer(messages))
    return { generations: [{ text: String(message.content), message }] }
  }
}

/**
 * LangGraph's own SQLite saver on the SQLite that Tenon uses: better-sqlite3, which it asks for, would have to be
 * compiled, and commits as fast. `enhance` gives the database the methods of better-sqlite3; what is left is that
 * better-sqlite3 stores undefined as null.
 *
 * @param {string} file
 */
export function sqliteSaver(file) {
  const database = enhance(new DatabaseSync(file))
  return new SqliteSaver({
    pragma: (source) => database.pragma(source),
    exec: (sql) => database.exec(sql),
    transaction: (work) => database.transaction(work),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        run: (...values) => statement.run(...values.map((value) => value ?? null)),
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
      }
    },
  })
}
