import type { CallContext, Effect, HandEvent, JsonObject, NeedAnswer, Schema, Tool } from '@tenon/kernel'
import { isJsonObject, isTenonError } from '@tenon/kernel'
import type { ToolEntry } from '../catalogue/tool-entry.js'
import { isHeaderMismatch, isMcpError, McpError } from '../errors.js'
import { callTool } from './call-tool.js'
import type { ToolDesk } from './tool-desk.js'

const PIN_KEY = 'definition'

/** A tool of a server as the kernel knows tools. Its schema is compiled when it is first needed. */
export function mcpTool(desk: ToolDesk, entry: ToolEntry, trusted: boolean): Tool {
  const { server, shownName, description, title, input, output } = entry
  const by = title === undefined ? entry.name : title
  return Object.freeze({
    name: shownName,
    title: `${by} (${server})`,
    description: description === '' ? `${entry.name} of ${server}` : description,
    input: lazySchema(input, desk),
    ...(output === undefined ? {} : { output: lazySchema(output, desk) }),
    effect: effectOf(entry, trusted),
    origin: { kind: 'mcp', name: server },
    trust: trusted ? 'vetted' : 'untrusted',
    outward: !trusted || entry.hints.openWorld,
    run: (args: JsonObject, context: CallContext) => listedAgain(desk, entry, effectOf(entry, trusted), args, context),
  } satisfies Tool)
}

/** The hints of a server are its own word: only a trusted one may say that a call can be repeated. */
function effectOf({ hints }: ToolEntry, trusted: boolean): Effect {
  if (!trusted) return 'once'
  return hints.readOnly ? 'pure' : hints.idempotent ? 'idempotent' : 'once'
}

/**
 * A call whose headers do not fit was refused at the door: the tool is not what it was when it was listed. It is listed
 * again and called once more, if it is still what was approved.
 */
async function* listedAgain(
  desk: ToolDesk,
  listed: ToolEntry,
  effect: Effect,
  args: JsonObject,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  try {
    yield* guarded(desk, listed, effect, args, context)
    return
  } catch (error) {
    if (!isHeaderMismatch(error)) throw error
    desk.diagnose('listed-again', listed.name)
    await desk.catalogue.list('tools', true)
  }
  yield* guarded(desk, listed, effect, args, context)
}

/** A definition that is not the approved one is not called before a person has seen what changed. */
async function* guarded(
  desk: ToolDesk,
  listed: ToolEntry,
  effect: Effect,
  args: JsonObject,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  const entry = await desk.catalogue.findTool(listed.name)
  // A call that was let through goes on, whatever the server says of the tool meanwhile.
  if (context.handle !== undefined || desk.held.has(`${context.runId}/${context.callId}`)) {
    yield* pursued(desk, entry, effect, args, context)
    return
  }
  const standing = desk.catalogue.standing(entry)
  if (standing.kind === 'changed' || standing.kind === 'new') {
    const answer = context.answers.find(({ key }) => key === PIN_KEY)
    if (answer === undefined || !isAbout(answer, entry)) {
      const what =
        standing.kind === 'new'
          ? `came after you approved ${entry.server}:\n${entry.description}`
          : `is not what you approved:\n${standing.change}`
      yield {
        kind: 'needs-input',
        needs: [
          {
            key: PIN_KEY,
            kind: 'question',
            prompt: `The definition of ${entry.name} of ${entry.server} ${what}\nUse it from now on?`,
            schema: { type: 'boolean' },
            resume: { digest: entry.digest },
            // What a server is trusted with is the host's business; a caller must neither see nor settle it.
            forHost: true,
          },
        ],
      }
      return
    }
    if (answer.answer !== true)
      throw new McpError('mcp-definition-changed', `The definition of ${entry.name} has changed and was not approved.`)
    desk.catalogue.approve([entry])
  }
  yield* pursued(desk, entry, effect, args, context)
}

/** A call with an effect that was sent and lost is in doubt: nobody repeats it without being told. */
async function* pursued(
  desk: ToolDesk,
  entry: ToolEntry,
  effect: Effect,
  args: JsonObject,
  context: CallContext,
): AsyncGenerator<HandEvent> {
  try {
    yield* callTool(desk, entry, args, context)
  } catch (error) {
    if (!isMcpError(error) || effect !== 'once' || !mayHaveRun(error)) throw error
    const message = `${error.message} Whether ${entry.name} took effect is unknown.`
    throw new McpError('mcp-in-doubt', message, { cause: error, detail: error.detail ?? null })
  }
}

function mayHaveRun({ code, detail }: McpError): boolean {
  const unsent = isJsonObject(detail) && detail.sent === false
  return (code === 'mcp-connection-lost' || code === 'mcp-timeout') && !unsent
}

const isAbout = ({ resume }: NeedAnswer, { digest }: ToolEntry): boolean =>
  isJsonObject(resume) && resume.digest === digest

function lazySchema(json: JsonObject, { compile }: ToolDesk): Schema {
  let compiled: Schema | undefined
  return {
    json,
    check(value) {
      try {
        compiled ??= compile(json)
      } catch (error) {
        const why = isTenonError(error) ? error.message : 'it is no JSON Schema'
        return { ok: false, problems: [{ path: '', message: `cannot be checked: ${why}` }] }
      }
      return compiled.check(value)
    },
  }
}
