import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { type OAuthOptions, oauthAuth, readServerFile, signInHere } from '@tenon/mcp'
import { loadConfig } from '../../config/load-config.js'
import { nearestWord } from '../../config/nearest-word.js'
import { readTextFile } from '../../config/read-text-file.js'
import { HostError } from '../../errors.js'
import { knownNames } from '../../host/known-names.js'
import { authOfServer } from '../../mcp/auth-of-server.js'
import { projectOf } from '../../mcp/project-of.js'
import { authOfImported } from '../../mcp/servers-of-config.js'
import { EXIT } from '../exit-code.js'
import { type CommonOptions, type Io, isInteractive } from '../io.js'

const MAX_FILE = 4 * 1024 * 1024

/** `tenon mcp login`: brings the person to a browser and keeps what comes back, sealed. */
export async function loginMcp(io: Io, name: string, options: CommonOptions): Promise<number> {
  const auth = authNamed(io, name, options)
  if (auth.grant !== undefined && auth.grant !== 'person') {
    await oauthAuth(auth).signIn()
  } else {
    await signInHere(auth, (url) => {
      io.stderr.write(`Sign in at ${name}:\n${url.href}\n`)
      if (isInteractive(io)) openBrowser(url)
    })
  }
  io.stderr.write(`Signed in at ${name}.\n`)
  return EXIT.completed
}

/** `tenon mcp logout`: forgets what was kept. */
export function logoutMcp(io: Io, name: string, options: CommonOptions): number {
  oauthAuth(authNamed(io, name, options)).signOut()
  io.stderr.write(`What was kept of ${name} is gone from this machine. The server may still know it.\n`)
  return EXIT.completed
}

function authNamed(io: Io, name: string, options: CommonOptions): OAuthOptions {
  const { config } = loadConfig({
    cwd: io.cwd,
    environment: io.environment,
    known: knownNames(),
    ...(options.config === undefined ? {} : { file: options.config }),
  })
  const settings = config.mcp?.servers?.[name]
  const own = settings === undefined ? undefined : authOfServer(name, settings, io.environment)
  if (own !== undefined) return own
  if (settings !== undefined) throw needsNone(name)
  const imported = (config.mcp?.import ?? []).flatMap((file) => {
    const variables = { env: io.environment, home: io.environment.HOME ?? homedir(), workspace: projectOf(file) }
    return readServerFile(readTextFile(file, MAX_FILE), file, variables).servers
  })
  const found = imported.find((server) => server.name === name)
  const auth = found === undefined ? undefined : authOfImported(found, io.environment)
  if (auth !== undefined) return auth
  if (found !== undefined) throw needsNone(name)
  const names = [...Object.keys(config.mcp?.servers ?? {}), ...imported.map((server) => server.name)]
  const near = nearestWord(name, names)
  const hint = near === undefined ? `There are: ${names.join(', ') || 'none'}.` : `Did you mean "${near}"?`
  throw new HostError('usage', `There is no MCP server "${name}" to sign in to. ${hint}`)
}

const needsNone = (name: string): HostError =>
  new HostError('usage', `${name} needs no sign-in: it is a command, or its headers settle it.`)

function openBrowser(url: URL): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url.href]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url.href]
        : ['xdg-open', url.href]
  const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true })
  // The address stands on the terminal already.
  child.on('error', () => {})
  child.unref()
}
