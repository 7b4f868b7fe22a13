import type { Model } from '@tenon/kernel'
import { anthropicMessages } from '../anthropic-messages/anthropic-messages.js'
import { openaiChat } from '../openai-chat/openai-chat.js'
import { openaiResponses } from '../openai-responses/openai-responses.js'
import type { ModelConnection } from './model-connection.js'

/** The model behind a connection, in the dialect that the connection names. Nothing is sent yet. */
export function connectModel(connection: ModelConnection): Model {
  const { dialect, ...options } = connection
  switch (dialect) {
    case 'openai-chat':
      return openaiChat(options)
    case 'openai-responses':
      return openaiResponses(options)
    case 'anthropic-messages':
      return anthropicMessages(options)
  }
}
