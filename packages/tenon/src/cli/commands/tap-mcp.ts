import { join, resolve } from 'node:path'
import { SecretMask, type TapEntry, TapLog, TapRecorder, tapHttp, tapProcess, tapViewLine } from '@tenon/mcp/tap'
import { HostError } from '../../errors.js'
import { EXIT } from '../exit-code.js'
import type { Io } from '../io.js'
import { onSignals } from '../on-signals.js'

export type TapMcpOptions = {
  readonly url?: string
  readonly port?: number
  readonly log?: string
  readonly method?: readonly string[]
  readonly show?: boolean
}

/**
 * `tenon mcp tap`. Before a command, standard output and error are the server's: nothing of ours is written there
 * unless the view was asked for.
 */
export async function tapMcp(io: Io, command: readonly string[], options: TapMcpOptions): Promise<number> {
  const [program, ...args] = command
  if ((program === undefined) === (options.url === undefined))
    throw new HostError('usage', 'Name one server: a command after --, or an address with --url.')
  const mask = new SecretMask()
  mask.learnEnvironment(io.environment)
  const log = await TapLog.open(options.log === undefined ? await defaultLog(io) : resolve(io.cwd, options.log))
  const show = options.show === true || options.url !== undefined
  const onEntry = (entry: TapEntry): void => {
    log.write(entry)
    if (show) io.stderr.write(`${tapViewLine(entry)}\n`)
  }
  const recorder = new TapRecorder({
    mask,
    onEntry,
    ...(options.method === undefined ? {} : { methods: options.method }),
  })
  if (show) io.stderr.write(`Recording to ${log.file}\n`)
  try {
    if (program !== undefined) {
      const { stdin, stdout, stderr, environment, cwd } = io
      return await tapProcess({ command: program, args, environment, cwd, stdin, stdout, stderr, recorder })
    }
    return await tapAddress(io, options, { mask, recorder })
  } finally {
    const lost = await log.close()
    if (lost > 0 && show) io.stderr.write(`${lost} entries could not be written to ${log.file}\n`)
  }
}

async function tapAddress(
  io: Io,
  { url = '', port }: TapMcpOptions,
  reading: { readonly mask: SecretMask; readonly recorder: TapRecorder },
): Promise<number> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new HostError('usage', `${url} is no address. It must begin with http:// or https://.`)
  const tap = await tapHttp({ url, ...reading, ...(port === undefined ? {} : { port }) })
  // On standard output, so that a script can read it.
  io.stdout.write(`${JSON.stringify({ url: tap.url })}\n`)
  await new Promise<void>((stop) => {
    onSignals({ cancel: stop, leave: () => stop() })
  })
  await tap.close()
  return EXIT.completed
}

/** What knows the folders of the platform is loaded only where it is asked: a tap stands before every start of a server. */
async function defaultLog(io: Io): Promise<string> {
  const { userDataFolder } = await import('@tenon/models')
  const now = new Date().toISOString().replace(/[:.]/g, '-')
  return join(userDataFolder(io.environment), 'mcp', `tap-${now}-${process.pid}.jsonl`)
}
