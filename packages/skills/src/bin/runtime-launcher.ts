// Starts one job by the sandbox runtime as its order on file descriptor 3 says, and ends with it. A process of its own,
// because the runtime keeps one configuration a process and would put its proxies into the host.
import { spawn } from 'node:child_process'
import { closeSync, readFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { becomeUser } from '../sandbox/become-user.js'
import { LAUNCHER_FAILED, LAUNCHER_SAYS } from '../sandbox/launcher-failure.js'
import type { RuntimeOrder } from '../sandbox/runtime-order.js'

type Runtime = typeof import('@anthropic-ai/sandbox-runtime')

const REFUSED_FD = 4
/** Closed to reading, but for what is named: the runtime itself leaves open what it is not told to close. */
const EVERYTHING = '/'

function fail(what: string): never {
  writeSync(2, `${LAUNCHER_SAYS}${what}\n`)
  process.exit(LAUNCHER_FAILED)
}

/** Variables that lead to the proxy. Others of the runtime's name places of the host, or keep clients off the proxy. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])

/**
 * Bounds, then an environment of what was granted and nothing else, then the job. Values come by the environment and
 * not by this text, which stands in the list of processes.
 */
function script({ limits, env, hosts }: RuntimeOrder): string {
  const kept = [...Object.keys(env), ...(hosts.length === 0 ? [] : PROXIES)]
  return [
    ...limits.map(([letter, value]) => `ulimit -${letter} ${value} || exit ${LAUNCHER_FAILED}`),
    `for name in $(compgen -e); do case ${quoted(` ${kept.join(' ')} `)} in *" $name "*) ;; *) unset "$name" ;; esac; done`,
    // What the runtime sets itself wins over what it was given.
    `export TMPDIR=${quoted(env.TMPDIR ?? '/tmp')}`,
    // The name cannot be looked up where the system's files about names are closed.
    ...(hosts.length === 0 ? [] : PROXIES.map((name) => `export ${name}="\${${name}/localhost/127.0.0.1}"`)),
    ...(hosts.length === 0 ? [] : ['export NODE_USE_ENV_PROXY=1']),
    'exec "$@"',
  ].join('\n')
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

async function start(order: RuntimeOrder): Promise<void> {
  const { SandboxManager }: Runtime = await import(pathToFileURL(order.library).href)
  // Before the runtime makes its sockets and namespaces: then those are the job's and not root's.
  if (order.uid !== undefined) becomeUser(order.uid)
  const { errors } = SandboxManager.checkDependencies()
  if (errors.length > 0) fail(errors.join('; '))
  const filesystem = {
    denyRead: [EVERYTHING, ...order.unreadable],
    allowRead: [...order.readable, join(dirname(dirname(order.library)), 'vendor')],
    allowWrite: [...order.writable],
    denyWrite: [...order.unwritable],
    // What of git is closed stands among the unwritable.
    allowGitConfig: true,
  }
  const network = { allowedDomains: [...order.hosts], deniedDomains: [], strictAllowlist: true }
  await SandboxManager.initialize({ network, filesystem })
  // The sockets that lead to the proxy were made just now, in a folder that is closed.
  const sockets = [SandboxManager.getLinuxHttpSocketPath(), SandboxManager.getLinuxSocksSocketPath()]
  const allowRead = [...filesystem.allowRead, ...sockets.filter((path) => path !== undefined)]
  const line = ['bash', '-c', script(order), 'bash', ...order.command].map(quoted).join(' ')
  const wrapped = await SandboxManager.wrapWithSandbox(
    line,
    'bash',
    { filesystem: { ...filesystem, allowRead } },
    undefined,
    { commandId: 'job' },
  )
  const child = spawn('bash', ['-c', wrapped], {
    cwd: order.cwd,
    // A bash whose input is a socket takes itself for a remote one and reads ~/.bashrc, unless it is no first one.
    env: { ...order.env, SHLVL: '1' },
    stdio: 'inherit',
  })
  child.once('error', () => fail('there is no bash'))
  // Not the end at once: the runtime leaves empty files in folders that may be written to and has to take them away.
  process.once('SIGTERM', () => child.kill('SIGKILL'))
  child.once('exit', async (code, signal) => {
    tellRefused(SandboxManager)
    await SandboxManager.reset()
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
  })
}

function tellRefused(manager: Runtime['SandboxManager']): void {
  for (const { line } of manager.getSandboxViolationStore().getViolations()) {
    const host = /^deny network-outbound (\S+)/.exec(line)?.[1]
    if (host !== undefined) writeSync(REFUSED_FD, `${host}\n`)
  }
}

const order: RuntimeOrder = JSON.parse(readFileSync(3, 'utf8'))
closeSync(3)
process.chdir(order.cwd)
start(order).catch((error: unknown) => fail(error instanceof Error ? error.message : 'it failed without a reason'))
