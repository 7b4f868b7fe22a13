import { A2AError } from '../errors.js'
import type { ExposedAgent } from '../tasks/exposed-agent.js'

/** Of the extensions that a client named, those that this agent has. @throws A2AError `a2a-extension-required` */
export function activeExtensions({ capabilities }: ExposedAgent, named: ReadonlySet<string>): readonly string[] {
  const { extensions = [] } = capabilities
  const missing = extensions.filter(({ uri, required }) => required === true && !named.has(uri))
  if (missing.length > 0)
    throw new A2AError(
      'a2a-extension-required',
      `This agent needs the extensions ${missing.map(({ uri }) => uri).join(', ')}.`,
    )
  return extensions.flatMap(({ uri }) => (named.has(uri) ? [uri] : []))
}
