import { type ContentBlock, isJsonObject, type JsonObject, plainText } from '@tenon/kernel'
import type { McpHost } from '../host/mcp-host.js'
import { blockOfResource } from '../outputs/block-of-content.js'
import { lastWords } from '../upstream/log-tail.js'
import { callInHost, type Person } from './call-in-host.js'
import type { Operation } from './mcp-case.js'
import { type CaseOutcome, OK, outcomeOf } from './outcome.js'

/** The server that a scenario is about, among those of the host. */
export const MAIN = 'main'

export type HostStage = {
  readonly host: McpHost
  readonly person: Person
  readonly onTruncated: () => void
  readonly viewBudgetBytes: number
}

/** Carries out one operation of a scenario on a host; never throws. */
export async function operateHost(operation: Operation, stage: HostStage): Promise<CaseOutcome> {
  const server = stage.host.server(operation.server ?? MAIN)
  if (server === undefined) return { outcome: 'crash', error: { message: `no server ${operation.server}` } }
  const { catalogue, upstream } = server
  try {
    if (operation.wait !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, operation.wait))
      return OK
    }
    if (operation.close) {
      await upstream.close()
      return OK
    }
    if (operation.list !== undefined) {
      const held = catalogue.held(operation.list)
      const items = operation.cached ? held : await catalogue.list(operation.list)
      return {
        outcome: 'ok',
        result: { items: [...items] },
        ...(operation.list === 'tools' ? toolsOf(stage.host) : {}),
      }
    }
    if (operation.follow !== undefined) return await follow(operation.follow, stage.host)
    if (operation.approve !== undefined) {
      catalogue.approve([await catalogue.findTool(operation.approve)])
      return OK
    }
    if (operation.read !== undefined) return readOutcome(await catalogue.read(operation.read))
    if (operation.prompt !== undefined) {
      const params = { name: operation.prompt, arguments: operation.arguments ?? {} }
      return { outcome: 'ok', result: await upstream.request('prompts/get', params, { repeatable: true }) }
    }
    if (operation.call !== undefined)
      return await callInHost(stage.host, server, operation, stage.person, stage.onTruncated, stage.viewBudgetBytes)
    return { outcome: 'crash', error: { message: `an operation of unknown kind: ${JSON.stringify(operation)}` } }
  } catch (error) {
    return toldOf(outcomeOf(error), upstream.log)
  }
}

/** Faces show a person the last words of a server that did not start; they stand in no error, which a model may read. */
function toldOf(outcome: CaseOutcome, log: string): CaseOutcome {
  if (outcome.outcome !== 'start-failed' || outcome.error === undefined) return outcome
  return { ...outcome, error: { ...outcome.error, message: `${outcome.error.message} ${lastWords(log)}` } }
}

/** The tools of all servers, for names have to be unique among them; the main one's come first. */
function toolsOf(host: McpHost): Pick<CaseOutcome, 'tools'> {
  const entries = host.states.flatMap(({ name }) => host.server(name)?.catalogue.tools ?? [])
  return {
    tools: entries.map(({ server, name, shownName, description }) => ({ server, name, shownName, description })),
  }
}

async function follow(what: readonly string[], host: McpHost): Promise<CaseOutcome> {
  const server = host.server(MAIN)
  const uris = what.filter((one) => one.includes(':'))
  await server?.catalogue.follow({
    tools: what.includes('tools'),
    prompts: what.includes('prompts'),
    resources: what.includes('resources'),
    uris,
  })
  return { outcome: 'ok', result: { followed: [...what] } }
}

function readOutcome(result: JsonObject): CaseOutcome {
  const contents = Array.isArray(result.contents) ? result.contents.filter((one) => isJsonObject(one)) : []
  const blocks: readonly ContentBlock[] = contents.map((one) => blockOfResource(one))
  return { outcome: 'ok', result, text: plainText(blocks) }
}
