import type { PromptedDialect } from './dialect.js'
import { jsonDialect } from './json/json-dialect.js'
import { reactTextDialect } from './react-text/react-text-dialect.js'
import { reactXmlDialect } from './react-xml/react-xml-dialect.js'

/** Every way of calling tools in plain text, by name. */
export const promptedDialects: Readonly<Record<PromptedDialect['name'], PromptedDialect>> = {
  'react-text': reactTextDialect,
  'react-xml': reactXmlDialect,
  json: jsonDialect,
}
